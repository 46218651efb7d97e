// `concord trigger`: publishes a sandbox event.
import { listEventTypes, publishEvent, testWebhookEndpoint } from '@concord/client';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { CliError } from '../exits.ts';
import { readJson } from '../read-json.ts';
import { visibleJson } from '../visible.ts';

export const trigger: Command = {
  path: ['trigger'],
  summary: 'Publish a sandbox event',
  details:
    'Concord checks the data against the schema of the type. Without --data the example of the type is sent.',
  argument: { name: '[type]', description: 'the event type, such as inventory.updated' },
  options: [
    { flags: '--data <data>', description: 'JSON, @FILE, or - for stdin' },
    { flags: '--endpoint <id>', description: 'only to this sandbox endpoint' },
    { flags: '--list', description: 'lists the event types with their examples' },
  ],
  example: `concord trigger inventory.updated --data '{"sku":"NX-1","quantity":12}'`,
  async run(context) {
    const { input, out } = context;
    const type = input.argument;
    if (input.flag('list')) await list(context);
    else if (type === undefined) throw new CliError('usage', 'Which type? concord trigger --list shows them');
    else {
      const { event, delivers } = await publish(context, type);
      out.result(event, `${event.type}  ${event.id}${delivers ? '' : '  (to this endpoint only)'}`);
    }
  },
};

async function publish(context: Context, type: string) {
  const { input } = context;
  const client = context.client();
  const id = context.partner();
  const endpoint_id = input.optionalId('endpoint', 'whe');
  const data = input.text('data');
  const given = data === undefined ? {} : { data: await readJson(context, data, 'The data') };
  if (endpoint_id !== undefined) {
    const path = { id, endpoint_id };
    return { event: await testWebhookEndpoint({ client, path, body: { type, ...given } }), delivers: false };
  }
  const body = {
    type,
    environment: 'sandbox' as const,
    data: 'data' in given ? given.data : await exampleOf(context, type),
  };
  return { event: await publishEvent({ client, path: { id }, body }), delivers: true };
}

async function exampleOf(context: Context, type: string): Promise<unknown> {
  const types = await listEventTypes({ client: context.client() });
  const found = types.find(({ name }) => name === type);
  if (found === undefined)
    throw new CliError('missing', `There is no event type ${type}. concord trigger --list shows them`);
  return found.example;
}

async function list({ client, out }: Context) {
  const types = await listEventTypes({ client: client() });
  if (out.isJson)
    return out.json(types.map(({ name, description, example }) => ({ name, description, example })));
  for (const { name, description, example } of types) {
    out.line(`${name}  ${description}`);
    out.block(visibleJson(example));
  }
}
