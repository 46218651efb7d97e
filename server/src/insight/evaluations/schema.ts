// The wire of OpenID AuthZEN Authorization API 1.0, sections 5 to 7. Unknown members are ignored.
import { type Static, Type } from 'typebox';
import { methodNames, resourceNames } from '../../access/permissions/index.ts';
import { Closed, closed } from '../../base/http/schemas.ts';

export const maxEvaluations = 100;

const Ignored = Type.Optional(Type.Object({}, { description: 'Any members. They have no effect' }));

const Subject = Type.Object(
  {
    type: Type.String({ description: '`user`' }),
    id: Type.String({ description: 'The id of a user (`usr_...`), or an e-mail address' }),
    properties: Ignored,
  },
  { title: 'EvaluationSubject', description: 'The person' },
);
const Action = Type.Object(
  { name: Type.String({ description: `One of ${methodNames.join(', ')}` }), properties: Ignored },
  { title: 'EvaluationAction', description: 'The method' },
);
const Resource = Type.Object(
  {
    type: Type.String({ description: `One of ${resourceNames.join(', ')}` }),
    id: Type.String({ description: 'The id of the partner (`ptr_...`)' }),
    properties: Ignored,
  },
  { title: 'EvaluationResource', description: 'The resource, and the partner that it belongs to' },
);

const example = {
  subject: { type: 'user', id: 'ann@nordlys.example' },
  action: { name: 'get' },
  resource: { type: 'deliveries', id: 'ptr_01h2xcejqtf2nbrexx3vqjhp41' },
};

export const EvaluationRequest = Type.Object(
  { subject: Subject, action: Action, resource: Resource, context: Ignored },
  { title: 'EvaluationRequest', examples: [example] },
);
export type Question = Static<typeof EvaluationRequest>;

const semantics = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const;
export type Semantic = (typeof semantics)[number];

/** Each can come from the top level. */
const parts = {
  subject: Type.Optional(Subject),
  action: Type.Optional(Action),
  resource: Type.Optional(Resource),
};

export const EvaluationsRequest = Type.Object(
  {
    ...parts,
    context: Ignored,
    evaluations: Type.Optional(
      Type.Array(Type.Object({ ...parts, context: Ignored }), {
        maxItems: maxEvaluations,
        description:
          'Each takes the members that it lacks from the top level. Without evaluations, the request asks once',
      }),
    ),
    options: Type.Optional(
      Type.Object({
        evaluations_semantic: Type.Optional(
          Type.Enum([...semantics], {
            description:
              '`execute_all` unless given. The others end the list at the first denial, or at the first permit',
          }),
        ),
      }),
    ),
  },
  {
    title: 'EvaluationsRequest',
    examples: [
      {
        subject: example.subject,
        action: example.action,
        evaluations: [{ resource: example.resource }, { resource: { ...example.resource, type: 'partner' } }],
        options: { evaluations_semantic: 'deny_on_first_deny' },
      },
    ],
  },
);
export type EvaluationsRequest = Static<typeof EvaluationsRequest>;

export const Evaluation = Closed(
  'Evaluation',
  {
    decision: Type.Boolean(),
    context: Type.Object(
      {
        reason: Type.Optional(
          Type.Enum(
            [
              ...[
                'operator',
                'owner',
                'direct',
                'group',
                'access_request',
                'hidden',
                'mfa_required',
                'sso_required',
                'not_granted',
                'out_of_scope',
              ],
              ...['unknown_subject_type', 'unknown_resource_type', 'unknown_action'],
            ] as const,
            { description: 'The grant that allows it, or why it is denied. Absent with `error`' },
          ),
        ),
        acl_permission_group_id: Type.Optional(
          Type.String({
            pattern: '^apg_',
            description: 'The group that allows it, when `reason` is `group`',
          }),
        ),
        error: Type.Optional(
          Type.Object(
            { status: Type.Integer(), code: Type.String(), message: Type.String() },
            { ...closed, description: 'In a list of evaluations: the caller may not ask this' },
          ),
        ),
      },
      closed,
    ),
  },
  {
    decision: true,
    context: { reason: 'group', acl_permission_group_id: 'apg_01h2xcejqtf2nbrexx3vqjhp41' },
  },
);
export type Evaluation = Static<typeof Evaluation>;

const Evaluations = Closed(
  'Evaluations',
  { evaluations: Type.Array(Evaluation, { maxItems: maxEvaluations }) },
  {
    evaluations: [
      { decision: true, context: { reason: 'owner' } },
      { decision: false, context: { reason: 'hidden' } },
    ],
  },
);

/** The second is for a request without `evaluations`. */
export const EvaluationsAnswer = Type.Union([Evaluations, Evaluation], {
  title: 'EvaluationsAnswer',
  examples: [{ evaluations: [{ decision: true, context: { reason: 'owner' } }] }],
});

export const Configuration = Closed(
  'AuthzenConfiguration',
  {
    policy_decision_point: Type.String(),
    access_evaluation_endpoint: Type.String(),
    access_evaluations_endpoint: Type.String(),
  },
  {
    policy_decision_point: 'https://concord.example',
    access_evaluation_endpoint: 'https://concord.example/access/v1/evaluation',
    access_evaluations_endpoint: 'https://concord.example/access/v1/evaluations',
  },
);

export const RequestIdHeader = Type.Object({
  'x-request-id': Type.Optional(
    Type.String({ description: 'Your identifier of the request. The answer has the same' }),
  ),
});
