// The wire of the audit log.
import { type Static, Type } from 'typebox';
import { actorKinds, credentialKinds, outcomes } from '../../audit/index.ts';
import { Closed, closed, NullableString, Timestamp } from '../../base/http/schemas.ts';

const Changes = Type.Unsafe<Record<string, { before: unknown; after: unknown }>>({
  type: 'object',
  description: 'Each member of the object that changed. null before: it is new. null after: it is deleted',
  additionalProperties: {
    type: 'object',
    properties: { before: {}, after: {} },
    required: ['before', 'after'],
    ...closed,
  },
});

const who = { name: 'Olga Owner', email: 'olga@nordlys.example' };

export const AuditRecord = Closed(
  'AuditRecord',
  {
    id: Type.String({ pattern: '^aud_' }),
    at: Timestamp('When the transaction of the change began'),
    partner_id: NullableString('The partner. null: the change does not concern one'),
    partner_name: NullableString(
      'The present name of the partner. null: the record has none, or it is purged',
    ),
    actor: Type.Object(
      {
        kind: Type.Enum([...actorKinds], {
          description: 'What the actor was at that time. `nobody`: a sign-in that was refused',
        }),
        id: Type.String({ description: 'The id of the user. `system` and `command line` are not users' }),
        name: NullableString(
          'The name at that time. null: there was none, it was erased, or an earlier version wrote the record',
        ),
        email: NullableString(
          'The e-mail address at that time. null: as for `name`, or the actor is an operator and you are not',
        ),
        address: NullableString('The network address. null: there was none, or it was erased'),
      },
      closed,
    ),
    credential: Type.Object({ kind: Type.Enum([...credentialKinds]), id: Type.String() }, closed),
    request_id: NullableString('The id of the request. null: there was none'),
    action: Type.String(),
    target: NullableString('The id of the object. null: the action has none'),
    target_name: NullableString(
      'The name of the object at that time. null: it has none, or as for the name of the actor',
    ),
    outcome: Type.Enum([...outcomes], {
      description:
        '`intended`: an account change starts; another record says how it ended. `denied`: a permission was missing',
    }),
    details: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'What else is known, by name',
    }),
    changes: Changes,
    email: NullableString(
      'The e-mail address of the target, a user or an agreement. null: there is none, or it was erased',
    ),
    erased: Type.Boolean({ description: 'Personal values of this record were erased' }),
  },
  {
    id: 'aud_0000000000000000000000013a',
    at: '2026-02-14T13:05:09.120Z',
    partner_id: 'ptr_01h2xcejqtf2nbrexx3vqjhp41',
    partner_name: 'Nordlys Energi AS',
    actor: { kind: 'person', id: 'usr_01h2xcejqtf2nbrexx3vqjhp42', ...who, address: '192.0.2.7' },
    credential: { kind: 'session', id: 'wJ3uAvYk0a' },
    request_id: '9d1c3c7e-6a51-4a3b-bd41-0f0f8f3a5a63',
    action: 'agreement.update',
    target: 'agr_01h2xcejqtf2nbrexx3vqjhp43',
    target_name: 'Ann Lee',
    outcome: 'done',
    details: {},
    changes: { mfa_required: { before: false, after: true } },
    email: 'ann@nordlys.example',
    erased: false,
  },
);
export type AuditRecord = Static<typeof AuditRecord>;

export const auditList = {
  kind: 'audit_record',
  sortable: {},
  endless: true,
  filters: {
    actor_id: 'Records of this actor',
    action: 'Records of this action, such as agreement.update',
    target: 'Records about the object with this id',
    actor_email: 'Records of an actor who had this e-mail address then',
    email: 'Records about a user or an agreement that had this e-mail address then',
    outcome: { description: 'Records with this outcome', values: [...outcomes] },
    at: 'Records of the period <from>..<to>, without <to> itself. One of the two times may be left out',
  },
} as const;
