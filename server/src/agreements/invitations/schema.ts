// The wire of invitations: what the token in a mail opens.
import { Type } from 'typebox';
import { toAclPermission } from '../../access/permissions/index.ts';
import { Closed, closed, exampleId, NullableObject, PathId, Timestamp } from '../../base/http/schemas.ts';
import { Agreement, PartnerName } from '../schema.ts';

const { id, owner, mfa_required, expires_at, acl_permissions, acl_permission_groups } = Agreement.properties;

export const Invitation = Closed(
  'Invitation',
  {
    id,
    partner: PartnerName,
    inviter: NullableObject(
      Type.Object({ name: Type.String() }, closed),
      'Who sent the mail. null: the user was deleted',
    ),
    email: Type.String({ description: 'The invited address. Sign in or sign up with it' }),
    has_account: Type.Boolean({ description: 'false: sign up first, with the same token' }),
    owner,
    mfa_required,
    expires_at,
    acl_permissions,
    acl_permission_groups,
    invitation_expires_at: Timestamp('Until when the invitation can be accepted'),
  },
  {
    id: exampleId('agr'),
    partner: { id: exampleId('ptr'), name: 'Nordlys AS' },
    inviter: { name: 'Olga Owner' },
    email: 'ann@nordlys.example',
    has_account: false,
    owner: false,
    mfa_required: false,
    expires_at: '2026-12-31T23:00:00.000Z',
    acl_permissions: [toAclPermission('partner', ['get', 'query'])],
    acl_permission_groups: [],
    invitation_expires_at: '2026-02-07T08:00:00.000Z',
  },
);

export const InvitationPath = Type.Object({
  agreement_id: PathId('The agreement that the invitation offers'),
});
