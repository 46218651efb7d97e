// The HTTP of deliveries.
import { type Access, createRoutes, partnerOnly } from '../../../access/index.ts';
import { filtersIn } from '../../../base/http/lists.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import type { Database } from '../../../base/postgres/database.ts';
import type { Environment } from '../../environments.ts';
import { readAttempt } from './attempts.ts';
import type { Deliveries } from './deliveries.ts';
import * as wire from './schema.ts';
import { readDeliveryFilter } from './search/filter.ts';
import { shortCount } from './search/store.ts';
import { deliveryRead } from './store.ts';

type Options = {
  db: Database;
  deliveries: Deliveries;
  userAgents: Readonly<Record<Environment, string>>;
  access: Access;
};

export function registerDeliveryRoutes(
  server: HttpServer,
  { db, deliveries, userAgents, access }: Options,
): void {
  const routes = createRoutes(server, 'Deliveries');
  const query = access.onPartner({ resource: 'deliveries', method: 'query' }, partnerOnly);
  const get = access.onPartner({ resource: 'deliveries', method: 'get' }, deliveryRead);
  const send = access.onPartner({ resource: 'deliveries', method: 'post' }, deliveryRead);

  routes.list('/partners/:id/deliveries', {
    operationId: 'listDeliveries',
    summary: 'List deliveries',
    description: 'One delivery for each event and endpoint, with its state and its next attempt.',
    access: query,
    definition: wire.deliveryList,
    item: wire.Delivery,
    run: ({ granted, filter }) => deliveries.list(granted, filter),
  });

  routes.plain('GET', '/partners/:id/delivery-counts', {
    operationId: 'countDeliveries',
    summary: 'Count the deliveries that match a filter',
    description:
      'Says what a replay and a send-now of the same filters would do. It examines 10,000 deliveries at most.',
    access: query,
    query: wire.DeliveryCountQuery,
    answer: wire.DeliveryCounts,
    run({ granted, query }) {
      const filter = readDeliveryFilter(filtersIn(wire.deliveryList, query));
      return deliveries.count(granted, filter, shortCount);
    },
  });

  routes.read('/partners/:id/deliveries/:delivery_id', {
    operationId: 'getDelivery',
    summary: 'Get a delivery with its attempts',
    description: 'The attempts show the status, the duration and the error of each request.',
    access: get,
    answer: wire.DeliveryWithAttempts,
    run: ({ granted }) => deliveries.get(granted),
  });

  routes.act('/partners/:id/deliveries/:delivery_id/replay', {
    namesPerson: false,
    operationId: 'replayDelivery',
    summary: 'Replay a delivery',
    description:
      'Starts a new round of attempts of the same delivery, even if it was delivered. A pending delivery stays as it is. A delivery to a disabled endpoint is 400.',
    access: send,
    answer: wire.Delivery,
    // The representation of a GET includes the attempts.
    tagged: false,
    run: ({ granted, key, ifMatch }) => deliveries.change('replay', granted, key, ifMatch),
  });

  routes.act('/partners/:id/deliveries/:delivery_id/send-now', {
    namesPerson: false,
    operationId: 'sendDeliveryNow',
    summary: 'Send a pending delivery now',
    description:
      'Makes its next attempt due. Earlier attempts still count, and a failure is retried by the schedule. At a strict endpoint the deliveries before it go first. A delivery that is not pending, or whose endpoint is paused or disabled, is 400.',
    access: send,
    answer: wire.Delivery,
    tagged: false,
    run: ({ granted, key, ifMatch }) => deliveries.change('send_now', granted, key, ifMatch),
  });

  routes.read('/partners/:id/deliveries/:delivery_id/attempts/:number', {
    operationId: 'getAttempt',
    summary: 'Get an attempt with its request',
    description: 'Shows the request as it was signed, with the text that the signature covers.',
    access: get,
    answer: wire.AttemptWithRequest,
    run: ({ granted, params }) => readAttempt(db, granted.row, params.number, userAgents),
  });
}
