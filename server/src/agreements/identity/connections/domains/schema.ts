// The wire of the domains of connections.
import { type Static, Type } from 'typebox';
import {
  Closed,
  closed,
  exampleId,
  Id,
  NullableString,
  Text,
  Timestamp,
} from '../../../../base/http/schemas.ts';

export const Domain = Closed(
  'VerifiedDomain',
  {
    id: Id('idd'),
    domain: Type.String({
      description: 'In lower case. Labels of other scripts are in their ASCII form (IDNA)',
    }),
    status: Type.Enum(['pending', 'verified', 'lost'], {
      description:
        '`lost`: it was verified, and the record is missing. Until it is back, nobody new joins by it',
    }),
    record: Type.Object(
      { type: Type.Literal('TXT'), name: Type.String(), value: Type.String() },
      { description: 'The DNS record that proves the domain. It must stay', ...closed },
    ),
    last_check: Type.Unsafe<'found' | 'missing' | 'failed' | null>({
      type: ['string', 'null'],
      enum: ['found', 'missing', 'failed', null],
      description: '`failed`: the DNS gave no answer. null: it was not checked',
    }),
    checked_at: NullableString(),
    verified_at: NullableString(),
    lost_at: NullableString(
      'When the record was found missing. 7 days later, the domain is no longer verified',
    ),
    created_at: Timestamp(),
  },
  {
    id: exampleId('idd'),
    domain: 'nordlys.example',
    status: 'verified',
    record: {
      type: 'TXT',
      name: '_concord-challenge.nordlys.example',
      value: 'concord-domain=K7t0bZ2yVwq3n5p8s1xdhA',
    },
    last_check: 'found',
    checked_at: '2026-01-31T08:00:00.000Z',
    verified_at: '2026-01-31T08:00:00.000Z',
    lost_at: null,
    created_at: '2026-01-31T08:00:00.000Z',
  },
);
export type Domain = Static<typeof Domain>;

export const AddDomain = Closed(
  'AddDomain',
  { domain: Text(253, 'Its subdomains are domains of their own') },
  { domain: 'nordlys.example' },
);

export const domainList = {
  kind: 'identity_domain',
  sortable: { created_at: 'timestamp' },
  filters: {},
} as const;
