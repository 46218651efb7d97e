// `concord deliveries list`.
import { items, listDeliveries } from '@concord/client';
import type { Command } from '../command.ts';
import { readSome } from '../read-some.ts';

const statuses = ['pending', 'delivered', 'failed', 'cancelled'] as const;

export const deliveriesList: Command = {
  path: ['deliveries', 'list'],
  summary: 'List deliveries, the newest first',
  options: [
    { flags: '--status <name>', description: statuses.join(', ') },
    { flags: '--endpoint <id>', description: 'to this endpoint' },
    { flags: '--event <id>', description: 'of this event' },
    { flags: '--type <name>', description: 'of this event type' },
    { flags: '--limit <count>', description: 'how many; default: 20' },
  ],
  example: 'concord deliveries list --status failed',
  async run({ client, input, out, partner }) {
    const status = input.choice('status', statuses);
    const type = input.text('type');
    const [endpoint, event] = [input.optionalId('endpoint', 'whe'), input.optionalId('event', 'evt')];
    const limit = input.integer('limit', { min: 1, max: 10_000 }) ?? 20;
    const query = {
      sort_dir: 'desc' as const,
      page_size: Math.min(limit, 100),
      ...(status && { 'filter[status]': status }),
      ...(endpoint && { 'filter[endpoint_id]': endpoint }),
      ...(event && { 'filter[event_id]': event }),
      ...(type && { 'filter[event_type]': type }),
    };
    const options = { client: client(), path: { id: partner() }, query };
    const found = await readSome(items(listDeliveries, options), limit);
    out.result(
      found,
      found.map((delivery) => [
        delivery.id,
        delivery.created_at,
        delivery.event_type,
        delivery.state,
        String(delivery.status_code ?? delivery.reason ?? ''),
      ]),
    );
  },
};
