// `concord endpoints list`.
import { items, listWebhookEndpoints } from '@concord/client';
import type { Command } from '../command.ts';
import { readSome } from '../read-some.ts';

export const endpointsList: Command = {
  path: ['endpoints', 'list'],
  summary: 'List the webhook endpoints of the partner',
  options: [
    { flags: '--environment <name>', description: 'live or sandbox' },
    { flags: '--limit <count>', description: 'how many; default: 100' },
  ],
  example: 'concord endpoints list --environment sandbox',
  async run({ client, input, out, partner }) {
    const environment = input.choice('environment', ['live', 'sandbox']);
    const limit = input.integer('limit', 10_000) ?? 100;
    const options = {
      client: client(),
      path: { id: partner() },
      query: { page_size: Math.min(limit, 100), ...(environment && { 'filter[environment]': environment }) },
    };
    const found = await readSome(items(listWebhookEndpoints, options), limit);
    out.result(
      found,
      found.map(({ id, environment, status, listener, url }) => [
        id,
        environment,
        listener ? 'listener' : status,
        url,
      ]),
    );
  },
};
