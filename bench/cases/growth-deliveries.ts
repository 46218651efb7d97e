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
      const of = `/partners/${partner}`;
      const deliveries = `${of}/deliveries?page_size=50`;
      const events = `${of}/events?page_size=50`;
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
        'count of deliveries': `${of}/delivery-counts`,
        'count of failed deliveries': `${of}/delivery-counts?filter[status]=failed`,
        'GET delivery': `${of}/deliveries/${delivery}`,
        events,
        'events, sandbox': `${events}&filter[environment]=sandbox`,
        'events, after one': `${events}&page_from=${event}`,
        'events, a text that none has': `${events}&filter[text]=zeppelin`,
        'events, of a type without events': `${events}&filter[type]=webhook_endpoint.checkpoint`,
        'events, of an unknown type': `${events}&filter[type]=webhook.test`,
        'events, until 30 days ago': `${events}&sort_dir=desc&filter[created_at]=..${from}`,
        endpoints: `${of}/webhook-endpoints?page_size=50`,
        replays: `${of}/replays?page_size=50`,
        'statistics of a partner': `${of}/stats`,
        'statistics of a partner, 30 days': `${of}/stats?from=${from}`,
        'statistics of a partner, 5 days by 5 minutes': `${of}/stats?step=5m&from=${days5}`,
        'statistics of an endpoint': `${of}/webhook-endpoints/${endpoint}/stats`,
        'statistics of all endpoints': `${of}/webhook-endpoint-stats`,
        'statistics of the platform': '/platform/stats',
      };
    }),
};
