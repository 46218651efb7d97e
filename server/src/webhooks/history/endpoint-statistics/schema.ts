// The wire of statistics (behaviour N1 to N4), and of failing endpoints (N8).
import { type Static, Type } from 'typebox';
import {
  Closed,
  Count,
  closed,
  NullableCount,
  NullableString,
  Timestamp,
} from '../../../base/http/schemas.ts';
import { environments } from '../../environments.ts';
import { failureReasons, periodQuery, steps } from '../../statistics/index.ts';

const FailureCount = Closed('FailureCount', {
  reason: Type.Enum(failureReasons),
  count: Type.Integer({ minimum: 1 }),
});
const counts = {
  attempts: Count('Attempts that began in this time'),
  delivered: Count('Attempts that were answered with 2xx'),
  failed: Type.Array(FailureCount, {
    description:
      'The other attempts, by the reason of their failure. Reasons without an attempt are left out',
  }),
  p50_ms: NullableCount(
    'Half of the answers took at most so many milliseconds, rounded up by 10 % at most. null: no answer',
  ),
  p95_ms: NullableCount(
    '95 % of the answers took at most so many milliseconds, rounded up by 10 % at most. null: no answer',
  ),
  filtered: Count(
    'Events of this time that filters of endpoints refused, counted for each endpoint. They have no attempt',
  ),
};
const StepStats = Closed('StepStats', { at: Timestamp('The beginning of the step'), ...counts });
export const backlog = {
  pending: Count('Deliveries that are pending now. The largest number is 100000: so many, or more'),
  oldest_pending_age_seconds: NullableCount(
    'How long ago the oldest of them was published. null: nothing is pending',
  ),
};
const members = {
  from: Timestamp('The beginning of the first step'),
  to: Timestamp('The end of the last step'),
  step: Type.Enum(steps),
  ...counts,
  ...backlog,
  steps: Type.Array(StepStats, {
    description: 'The steps with attempts or filtered events, in the order of time',
  }),
};
const failed = [{ reason: 'timeout', count: 1 }];
const measured = { attempts: 3, delivered: 2, failed, p50_ms: 84, p95_ms: 134, filtered: 4 };
const example = {
  from: '2026-01-30T08:00:00.000Z',
  to: '2026-01-31T08:00:00.000Z',
  step: '1h',
  ...measured,
  pending: 1,
  oldest_pending_age_seconds: 12,
  steps: [{ at: '2026-01-31T07:00:00.000Z', ...measured }],
};
const endpointId = Type.String({ description: 'The id of the endpoint' });

export const Stats = Closed('Stats', members, example);
export type Stats = Static<typeof Stats>;
/** Whether an endpoint fails now is told by its last attempts, and not by the period. */
const recent = Type.Object(
  { attempts: Count(), delivered: Count() },
  {
    ...closed,
    description:
      'The last attempts, whatever the period: those of the latest minutes of 24 hours that have five attempts together',
  },
);
export const EndpointStats = Closed(
  'EndpointStats',
  { endpoint_id: endpointId, ...members, recent },
  { endpoint_id: 'whe_01h2xcejqtf2nbrexx3vqjhp41', ...example, recent: { attempts: 5, delivered: 4 } },
);
export type EndpointStats = Static<typeof EndpointStats>;

export const PeriodQuery = Type.Object(periodQuery);
export const EndpointStatsQuery = Type.Object({
  ...periodQuery,
  endpoint_id: Type.Optional(
    Type.String({
      maxLength: 4_000,
      description: 'Ids of endpoints, with commas between them. Default: all endpoints of the partner',
    }),
  ),
});

export const FailingEndpoint = Closed(
  'FailingEndpoint',
  {
    partner: Type.Object({ id: Type.String(), name: Type.String() }, closed),
    endpoint_id: Type.String(),
    url: Type.String(),
    description: NullableString(),
    environment: Type.Enum(environments),
    status: Type.Enum(['active', 'disabled']),
    disabled_reason: NullableString('Why it is disabled. null: it is not'),
    since: NullableString('When it was disabled, or since when every attempt fails. null: it fails in part'),
    recent,
  },
  {
    partner: { id: 'ptr_01h2xcejqtf2nbrexx3vqjhp41', name: 'Nordlys Energi AS' },
    endpoint_id: 'whe_01h2xcejqtf2nbrexx3vqjhp41',
    url: 'https://hooks.example.com/concord',
    description: null,
    environment: 'live',
    status: 'active',
    disabled_reason: null,
    since: '2026-01-31T08:00:00.000Z',
    recent: { attempts: 6, delivered: 0 },
  },
);
export type FailingEndpoint = Static<typeof FailingEndpoint>;
