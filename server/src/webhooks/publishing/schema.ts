// The wire of events (behaviour W9, W10), and of the check of a filter against past ones (W69).
import { type Static, Type } from 'typebox';
import { Closed, Count, NullableString, Text, Timestamp } from '../../base/http/schemas.ts';
import { EventTypeNames } from '../endpoints/schema.ts';
import { environments } from '../environments.ts';
import { EventFilter, exampleFilter } from '../filters/schema.ts';
import { Delivery, delivered } from '../history/deliveries/schema.ts';

const content = {
  type: 'inventory.updated',
  environment: 'live',
  producer_id: 'stock-4711',
  data: { sku: 'NX-1', quantity: 12 },
};

const members = {
  id: Type.String(),
  type: Type.String({ description: 'The name of the event type' }),
  environment: Type.Enum(environments, { description: 'The environment whose endpoints get the event' }),
  producer_id: NullableString("The publisher's own id of the event. null: it has none"),
  created_at: Timestamp('When the event was published'),
  filtered_endpoint_ids: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description:
      'The endpoints that do not get the event because of their filters. null: the caller may not list deliveries',
  }),
  data: Type.Unknown({ description: 'The data as it was published' }),
};
const published = {
  id: 'evt_01h2xcejqtf2nbrexx3vqjhp41',
  ...content,
  created_at: '2026-01-31T08:00:00.000Z',
  filtered_endpoint_ids: [],
};
export const Event = Closed('Event', members, published);

export const EventWithDeliveries = Closed(
  'EventWithDeliveries',
  {
    ...members,
    deliveries: Type.Unsafe<Delivery[] | null>({
      ...Type.Array(Delivery),
      type: ['array', 'null'],
      description: 'Its deliveries, without their attempts. null: the caller may not list deliveries',
    }),
  },
  { ...published, deliveries: [delivered] },
);

export const PublishEvent = Closed(
  'PublishEvent',
  {
    type: Text(100, 'The name of an event type; GET /event-types lists them'),
    data: Type.Unknown({ description: 'Data that fits the schema of the event type' }),
    environment: Type.Optional(
      Type.Enum(environments, {
        description: 'The environment whose endpoints get the event. Default: live',
      }),
    ),
    producer_id: Type.Optional(
      Type.Unsafe<string>({
        ...Text(
          255,
          'Your own id of the event. Publishing it again with the same content returns the same event',
        ),
        minLength: 1,
      }),
    ),
  },
  content,
);
export type PublishEvent = Static<typeof PublishEvent>;
/** No body means no choice. */
export type TestEndpoint = { type?: string; data?: unknown } | null;
export const TestEndpoint = Type.Unsafe<TestEndpoint>({
  ...Closed(
    'TestEndpoint',
    {
      type: Type.Optional(
        Text(100, 'The type of the event. Default: the first type that the endpoint wants'),
      ),
      data: Type.Optional(
        Type.Unknown({ description: 'Data that fits the schema of the type. Default: its example' }),
      ),
    },
    { type: 'order.status_changed' },
  ),
  type: ['object', 'null'],
});

export const PublishEvents = Type.Array(PublishEvent, { maxItems: 1_000 });

export const eventList = {
  kind: 'event',
  sortable: {},
  endless: true,
  filters: {
    environment: { description: 'Events of this environment', values: environments },
    type: 'Events of this type',
    created_at:
      'Events published in the period `<from>..<to>`, without `to` itself. One of the two times may be left out',
    id: 'The event with this id',
    producer_id: 'The event with this id of its publisher, in each environment',
    text: {
      description:
        'Events whose data has this text, as it was published, with 2 to 100 characters. Upper and lower case are the same. ' +
        'A page examines a limited number of events: it can be empty although its `Link` says that more follow',
      pattern: '^[^\\x00\\n\\r]{2,100}$',
      form: 'a text of 2 to 100 characters in one line',
    },
  },
} as const;

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
