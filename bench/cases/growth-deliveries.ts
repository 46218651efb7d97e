// Lists whose rows grow with the number of deliveries. Half of the deliveries belong to the partner that is
// asked for.
import type { Case } from '../case.ts';
import { measureGrowth } from '../growth.ts';

export const growthDeliveries: Case = {
  name: 'growth_deliveries',
  about:
    'lists and filters of deliveries and events, and statistics, with 10,000 and the filled number of deliveries: one client, p95',
  limitMinutes: 10,
  measure: (context) =>
    measureGrowth(context, 'deliveries', ({ partner, endpoint, event, delivery, from, days5 }) => {
      const deliveries = `/partners/${partner}/deliveries?page_size=50`;
      return {
        deliveries,
        'deliveries, the first first': `${deliveries}&sort_by=id&sort_dir=asc`,
        'deliveries, delivered': `${deliveries}&filter[status]=delivered`,
        'deliveries, failed': `${deliveries}&filter[status]=failed`,
        'deliveries, pending': `${deliveries}&filter[status]=pending`,
        'deliveries, sandbox': `${deliveries}&filter[environment]=sandbox`,
        'deliveries, of an endpoint': `${deliveries}&filter[endpoint_id]=${endpoint}`,
        'deliveries, failed of an endpoint': `${deliveries}&filter[endpoint_id]=${endpoint}&filter[status]=failed`,
        'deliveries, of an event': `${deliveries}&filter[event_id]=${event}`,
        'deliveries, of a frequent type': `${deliveries}&filter[event_type]=inventory.updated`,
        'deliveries, of a type without events': `${deliveries}&filter[event_type]=webhook_endpoint.checkpoint`,
        'deliveries, of an unknown type': `${deliveries}&filter[event_type]=webhook.test`,
        'deliveries, until 30 days ago': `${deliveries}&filter[created_at]=..${from}`,
        'deliveries, status_code 503': `${deliveries}&filter[status_code]=503`,
        'deliveries, status_code 404': `${deliveries}&filter[status_code]=404`,
        'deliveries, reason timeout': `${deliveries}&filter[reason]=timeout`,
        'deliveries, 3 attempts': `${deliveries}&filter[attempt_count]=3`,
        'deliveries, at least 9 attempts': `${deliveries}&filter[attempt_count]=9..`,
        'deliveries, a failed attempt': `${deliveries}&filter[attempt_outcome]=failed`,
        'deliveries, 3 attempts and failed': `${deliveries}&filter[attempt_count]=3&filter[status]=failed`,
        'count of deliveries': `/partners/${partner}/delivery-counts`,
        'count of failed deliveries': `/partners/${partner}/delivery-counts?filter[status]=failed`,
        'GET delivery': `/partners/${partner}/deliveries/${delivery}`,
        events: `/partners/${partner}/events?page_size=50`,
        'events, sandbox': `/partners/${partner}/events?page_size=50&filter[environment]=sandbox`,
        'events, after one': `/partners/${partner}/events?page_size=50&page_from=${event}`,
        'events, a text that none has': `/partners/${partner}/events?page_size=50&filter[text]=zeppelin`,
        'events, of a type without events': `/partners/${partner}/events?page_size=50&filter[type]=webhook_endpoint.checkpoint`,
        'events, of an unknown type': `/partners/${partner}/events?page_size=50&filter[type]=webhook.test`,
        'events, until 30 days ago': `/partners/${partner}/events?page_size=50&sort_dir=desc&filter[created_at]=..${from}`,
        endpoints: `/partners/${partner}/webhook-endpoints?page_size=50`,
        replays: `/partners/${partner}/replays?page_size=50`,
        'statistics of a partner': `/partners/${partner}/stats`,
        'statistics of a partner, 30 days': `/partners/${partner}/stats?from=${from}`,
        'statistics of a partner, 5 days by 5 minutes': `/partners/${partner}/stats?step=5m&from=${days5}`,
        'statistics of an endpoint': `/partners/${partner}/webhook-endpoints/${endpoint}/stats`,
        'statistics of all endpoints': `/partners/${partner}/webhook-endpoint-stats`,
        'statistics of the platform': '/platform/stats',
      };
    }),
};
