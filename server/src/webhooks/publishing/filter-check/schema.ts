// The wire of the check of a filter against past events (behaviour W69).
import { type Static, Type } from 'typebox';
import { Closed, Count } from '../../../base/http/schemas.ts';
import { EventTypeNames } from '../../endpoints/schema.ts';
import { EventFilter, exampleFilter } from '../../filters/schema.ts';
import { environments } from '../../signing-keys/index.ts';

export const CheckFilter = Closed(
  'CheckFilter',
  {
    filter: EventFilter,
    event_types: Type.Optional(
      EventTypeNames('The event types that the endpoint wants. Default: null, every type'),
    ),
    environment: Type.Optional(
      Type.Enum(environments, { description: 'The environment of the endpoint. Default: live' }),
    ),
  },
  { filter: exampleFilter, event_types: ['inventory.updated'] },
);
export type CheckFilter = Static<typeof CheckFilter>;

export const maxShown = 20;
export const FilterCheck = Closed(
  'FilterCheck',
  {
    examined: Count('How many of the last 1,000 events of the environment have one of the types'),
    matching: Count('How many of them match the filter'),
    complete: Type.Boolean({ description: 'False: the check ended after 10 seconds, or 16 MiB of events' }),
    filtered_event_ids: Type.Array(Type.String(), {
      description: `The latest ${maxShown} of them that do not match, the latest first`,
    }),
  },
  { examined: 1_000, matching: 999, complete: true, filtered_event_ids: ['evt_01h2xcejqtf2nbrexx3vqjhp41'] },
);
export type FilterCheck = Static<typeof FilterCheck>;
