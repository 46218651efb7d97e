// The wire of recoveries (behaviour W11).
import { type Static, Type } from 'typebox';
import { NullableMoment, PathId, Timestamp } from '../../http/schemas.ts';

const closed = { additionalProperties: false };

export const StartRecovery = Type.Object(
  {
    since: Type.String({ format: 'date-time', description: 'Failed deliveries that were created from then on' }),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'And before then; default: now' })),
  },
  { title: 'StartRecovery', ...closed },
);
export type StartRecovery = Static<typeof StartRecovery>;
export const Recovery = Type.Object(
  {
    id: Type.String({ examples: ['rcv_01h2xcejqtf2nbrexx3vqjhp41'] }),
    endpoint_id: Type.String(),
    status: Type.Enum(['running', 'completed']),
    since: Timestamp(),
    until: Timestamp(),
    total: Type.Integer({ description: 'Failed deliveries of that time when it was asked for' }),
    replayed: Type.Integer({ description: 'Of these, pending again by now' }),
    created_at: Timestamp(),
    completed_at: NullableMoment('When the last one was replayed'),
  },
  { title: 'Recovery', ...closed },
);
export type Recovery = Static<typeof Recovery>;
export const RecoveryPath = Type.Object({
  id: PathId('The partner'),
  endpoint_id: PathId('The endpoint'),
  job_id: PathId('The recovery'),
});
