// The wire of failing endpoints (behaviour N8).
import { type Static, Type } from 'typebox';
import { Closed, closed, NullableString } from '../../../base/http/schemas.ts';
import { environments } from '../../signing-keys/index.ts';
import { recent } from '../endpoint-statistics/schema.ts';

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
