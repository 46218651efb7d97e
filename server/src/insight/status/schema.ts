// The wire of the platform: its status (behaviour I3), and its requests and events (N6).
import { type Static, Type } from 'typebox';
import { Closed, Count, closed, NullableCount, Timestamp } from '../../base/http/schemas.ts';
import { backlog } from '../../webhooks/index.ts';
import { periodQuery, steps } from '../../webhooks/statistics/index.ts';

const Instance = Type.Object(
  {
    id: Type.String({ description: 'A new UUID for each start' }),
    host_name: Type.String(),
    role: Type.Enum(['all', 'api', 'worker']),
    version: Type.String({ description: 'Its version of Concord' }),
    started_at: Timestamp('When it started'),
    seen_at: Timestamp('Its last heartbeat. There is one every 5 seconds'),
    alive: Type.Boolean({ description: 'The last sign is at most 20 seconds old' }),
    lanes: Count('The lanes that it owned then'),
  },
  closed,
);

export const PlatformStatus = Closed(
  'PlatformStatus',
  {
    version: Type.String({ description: 'The version of the instance that answers' }),
    database: Type.Object(
      {
        server_version: Type.String(),
        size_bytes: Count('The size of the files of this database'),
        writable: Type.Boolean({ description: 'false: a standby, or a database that is set to read only' }),
        connections: Count('The connections to the server, of all programs, to all databases'),
        max_connections: Count(
          'The most connections that the server accepts from ordinary roles, to all databases',
        ),
      },
      closed,
    ),
    instances: Type.Array(Instance, { description: 'The last heartbeat first. At most 1,000' }),
    mail: Type.Object(
      {
        waiting: Count('Mails that are not sent yet. The largest number is 10000: so many, or more'),
        failing: Count('Those of them whose last attempt failed'),
        oldest_age_seconds: NullableCount('How long ago the oldest of them was written. null: no mail waits'),
      },
      closed,
    ),
    clock_difference_ms: Type.Integer({
      description:
        "The clock of the instance that answers, minus the database's clock. Half the time of a query can be added",
    }),
    backlog: Type.Object(backlog, closed),
  },
  {
    version: '0.1.0',
    database: {
      server_version: '18.0',
      size_bytes: 41_943_040,
      writable: true,
      connections: 14,
      max_connections: 100,
    },
    instances: [
      {
        id: '0188bac7-4afa-78aa-bc3b-bd1eef28d881',
        host_name: 'concord-1',
        role: 'all',
        version: '0.1.0',
        started_at: '2026-01-31T08:00:00.000Z',
        seen_at: '2026-01-31T09:00:00.000Z',
        alive: true,
        lanes: 3,
      },
    ],
    mail: { waiting: 1, failing: 0, oldest_age_seconds: 2 },
    clock_difference_ms: 4,
    backlog: { pending: 12, oldest_pending_age_seconds: 1 },
  },
);
export type PlatformStatus = Static<typeof PlatformStatus>;

const traffic = {
  requests: Count('Answered requests of operations, without health checks and metrics'),
  client_errors: Count('Those of them with a status of 4xx'),
  server_errors: Count('Those of them with a status of 5xx'),
  events: Count('Events that were published, also test events, without repeated ones'),
};
const counted = { requests: 240, client_errors: 3, server_errors: 0, events: 120 };

export const Traffic = Closed(
  'Traffic',
  {
    from: Timestamp('The beginning of the first step'),
    to: Timestamp('The end of the last step'),
    step: Type.Enum([...steps]),
    ...traffic,
    steps: Type.Array(Closed('StepTraffic', { at: Timestamp('The beginning of the step'), ...traffic }), {
      description: 'The steps with a request or an event, in the order of time',
    }),
  },
  {
    from: '2026-01-30T08:00:00.000Z',
    to: '2026-01-31T08:00:00.000Z',
    step: '1h',
    ...counted,
    steps: [{ at: '2026-01-31T07:00:00.000Z', ...counted }],
  },
);
export type Traffic = Static<typeof Traffic>;
export const TrafficQuery = Type.Object(periodQuery);
