// `concord endpoints create`.
import { createWebhookEndpoint, type EventFilter } from '@concord/client';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { readJson } from '../read-json.ts';

export const endpointsCreate: Command = {
  path: ['endpoints', 'create'],
  summary: 'Create a webhook endpoint',
  argument: { name: '<url>', description: 'where Concord sends requests' },
  options: [
    { flags: '--environment <name>', description: 'live or sandbox; default: sandbox' },
    { flags: '--types <list>', description: 'event types with commas between them; default: all' },
    { flags: '--filter <filter>', description: 'which events by their data: JSON, @FILE, or - for stdin' },
    { flags: '--description <text>', description: 'for people' },
    { flags: '--strict', description: 'keeps the order of events: each waits for the one before' },
  ],
  example: 'concord endpoints create https://hooks.example.com/concord --types inventory.updated',
  async run(context) {
    const { client, input, out, partner } = context;
    const endpoint = await createWebhookEndpoint({
      client: client(),
      path: { id: partner() },
      body: {
        url: input.required(),
        environment: input.choice('environment', ['live', 'sandbox']) ?? 'sandbox',
        event_types: input.list('types') ?? null,
        filter: await readFilter(context),
        description: input.text('description') ?? null,
        ordering: input.flag('strict') ? 'strict' : 'none',
      },
    });
    out.result(endpoint, `${endpoint.id}  ${endpoint.environment}  ${endpoint.url}`);
  },
};

/** Concord checks what it is. */
async function readFilter(context: Context): Promise<EventFilter | null> {
  const given = context.input.text('filter');
  return given === undefined ? null : ((await readJson(context, given, 'The filter')) as EventFilter);
}
