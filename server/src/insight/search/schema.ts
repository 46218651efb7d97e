// The wire of search (behaviour Q3).
import { type Static, Type } from 'typebox';
import { Closed, NullableString, Text } from '../../base/http/schemas.ts';

export const kinds = [
  'partner',
  'agreement',
  'user',
  'webhook_endpoint',
  'event',
  'delivery',
  'event_type',
] as const;
export type Kind = (typeof kinds)[number];

export const SearchQuery = Type.Object({
  q: Text(
    1_000,
    'An id, or at least 2 and at most 100 characters of a name, an e-mail address, the URL or description of an endpoint, or an event type',
  ),
});

export const SearchResult = Closed(
  'SearchResult',
  {
    kind: Type.Enum([...kinds]),
    id: Type.String({ description: 'The id of what was found. The name of an event type' }),
    label: Type.String({
      description:
        'The name of a partner, the address of an agreement or user, the URL of an endpoint, the type of an event, the name of an event type',
    }),
    partner_id: NullableString('The partner that it belongs to. null: a user, or an event type'),
    partner_name: NullableString('The name of that partner'),
  },
  {
    kind: 'webhook_endpoint',
    id: 'whe_01h2xcejqtf2nbrexx3vqjhp41',
    label: 'https://nordlys.example/hooks',
    partner_id: 'ptr_01h2xcejqtf2nbrexx3vqjhp41',
    partner_name: 'Nordlys AS',
  },
);
export type SearchResult = Static<typeof SearchResult>;
