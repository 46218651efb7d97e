// The wire of checks of endpoints (behaviour W61).
import { type Static, Type } from 'typebox';
import {
  Closed,
  NullableCount,
  NullableInteger,
  NullableMoment,
  NullableObject,
  NullableString,
  Text,
  Timestamp,
} from '../../../base/http/schemas.ts';
import { caseNames } from './check.ts';

const Case = Closed('EndpointCheckCase', {
  name: Type.Enum(caseNames),
  status: Type.Enum(['waiting', 'passed', 'failed']),
  expected: Type.Enum(['2xx', 'not 2xx'], { description: 'What the receiver must answer' }),
  status_code: NullableInteger('What it answered. null: nothing yet, or it gave no answer'),
  duration_ms: NullableCount('How long the request took. null: it was not sent yet'),
  problem: NullableString('What is wrong. null: nothing, or the case has not ended'),
  advice: NullableString('What to change in the code of the receiver. null: nothing'),
});

export const EndpointCheck = Closed(
  'EndpointCheck',
  {
    id: Type.String(),
    endpoint_id: Type.String(),
    url: Type.String({
      description: 'The URL that is checked. Another URL of the endpoint needs another check',
    }),
    status: Type.Enum(['running', 'passed', 'failed', 'waived'], {
      description:
        '`passed`: every case passed. `failed`: one failed, or a restore of the database ended the check. `waived`: an operator waived it, and none has passed since',
    }),
    waived: NullableObject(
      Closed('EndpointCheckWaiver', { reason: Type.String(), waived_at: Timestamp() }),
      'Why an operator lets the endpoint do without the check. null: nobody does',
    ),
    started_at: Timestamp(),
    finished_at: NullableMoment('null: it is running'),
    cases: Type.Array(Case, {
      description: 'In the order in which they are sent. Empty: the check was waived, and never run',
    }),
  },
  {
    id: 'chk_01h2xcejqtf2nbrexx3vqjhp41',
    endpoint_id: 'whe_01h2xcejqtf2nbrexx3vqjhp41',
    url: 'https://hooks.example.com/concord',
    status: 'waived',
    waived: { reason: 'A gateway that we cannot change', waived_at: '2026-01-31T10:00:00.000Z' },
    started_at: '2026-01-31T09:00:00.000Z',
    finished_at: '2026-01-31T09:00:01.000Z',
    cases: [
      {
        name: 'refuses_stale',
        status: 'failed',
        expected: 'not 2xx',
        status_code: 204,
        duration_ms: 12,
        problem: 'The receiver accepts a request that was signed 15 minutes ago. It answered 204.',
        advice:
          'Compare created of the signature with the clock, and refuse a difference of more than 300 seconds.',
      },
    ],
  },
);
export type EndpointCheck = Static<typeof EndpointCheck>;

export const WaiveCheck = Closed(
  'WaiveEndpointCheck',
  { reason: Text(2_000, 'Why the endpoint needs no check. The audit log keeps it') },
  { reason: 'A gateway that we cannot change' },
);
export type WaiveCheck = Static<typeof WaiveCheck>;
