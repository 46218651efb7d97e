// `concord deliveries list`.
import { items, listDeliveries } from '@concord/client';
import type { Command } from '../command.ts';
import { readSome } from '../read-some.ts';

const states = ['queued', 'retrying', 'waiting', 'delivered', 'failed', 'cancelled'] as const;

export const deliveriesList: Command = {
  path: ['deliveries', 'list'],
  summary: 'List deliveries, the newest first',
  options: [
    { flags: '--state <name>', description: states.join(', ') },
    { flags: '--endpoint <id>', description: 'to this endpoint' },
    { flags: '--event <id>', description: 'of this event' },
    { flags: '--type <name>', description: 'of this event type' },
    { flags: '--limit <count>', description: 'default: 20' },
  ],
  example: 'concord deliveries list --state failed',
  async run({ client, input, out, partner }) {
    const state = input.choice('state', states);
    const type = input.text('type');
    const [endpoint, event] = [input.optionalId('endpoint', 'whe'), input.optionalId('event', 'evt')];
    const limit = input.integer('limit', 10_000) ?? 20;
    const query = {
      sort_dir: 'desc' as const,
      page_size: Math.min(limit, 100),
      ...(state && { 'filter[state]': state }),
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
