// The wire of recoveries (behaviour W11).
import { type Static, Type } from 'typebox';
import { listQuery } from '../../../base/http/lists.ts';
import { NullableMoment, PathId, Timestamp } from '../../../base/http/schemas.ts';

const closed = { additionalProperties: false };

export const StartRecovery = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description: 'The start of the period in which the deliveries were created',
    }),
    until: Type.Optional(
      Type.String({ format: 'date-time', description: 'The end of the period, not included. Default: now' }),
    ),
  },
  {
    title: 'StartRecovery',
    ...closed,
    examples: [{ since: '2026-01-30T08:00:00Z', until: '2026-01-31T08:00:00Z' }],
  },
);
export type StartRecovery = Static<typeof StartRecovery>;
export const Recovery = Type.Object(
  {
    id: Type.String(),
    endpoint_id: Type.String({ description: 'The id of the endpoint whose deliveries are replayed' }),
    status: Type.Enum(['running', 'completed', 'stopped']),
    since: Timestamp('The start of the period in which the deliveries were created'),
    until: Timestamp('The end of the period, not included'),
    total: Type.Integer({
      minimum: 0,
      description: 'How many deliveries had failed when the recovery was requested',
    }),
    replayed: Type.Integer({ minimum: 0, description: 'How many of them have been replayed so far' }),
    created_at: Timestamp(),
    completed_at: NullableMoment(
      'When the last delivery was replayed, or somebody stopped it. null: the recovery is running',
    ),
  },
  {
    title: 'Recovery',
    ...closed,
    examples: [
      {
        id: 'rcv_01h2xcejqtf2nbrexx3vqjhp41',
        endpoint_id: 'whe_01h2xcejqtf2nbrexx3vqjhp41',
        status: 'running',
        since: '2026-01-30T08:00:00.000Z',
        until: '2026-01-31T08:00:00.000Z',
        total: 1_200,
        replayed: 500,
        created_at: '2026-01-31T09:00:00.000Z',
        completed_at: null,
      },
    ],
  },
);
export type Recovery = Static<typeof Recovery>;
export const recoveryList = { kind: 'recovery', sortable: {}, filters: {} } as const;
export const RecoveryListQuery = listQuery(recoveryList);
export const RecoveryPath = Type.Object({
  id: PathId('The partner'),
  endpoint_id: PathId('The endpoint'),
  job_id: PathId('The recovery'),
});
