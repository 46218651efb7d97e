// `concord endpoints check`: whether a receiver accepts correct requests, and refuses forged ones.
import { checkWebhookEndpoint, type EndpointCheckCase, getWebhookEndpointCheck } from '@concord/client';
import type { Command } from '../command.ts';
import type { Output } from '../output.ts';
import { paint } from '../output.ts';
import { pause } from '../pause.ts';

const everyMs = 1_000;

export const endpointsCheck: Command = {
  path: ['endpoints', 'check'],
  summary: 'Check whether a receiver is ready for live events',
  details: 'Concord sends correct and forged requests. Exit code 1: a case failed.',
  argument: { name: '<id>', description: 'the endpoint, such as whe_01h2xcejqtf2nbrexx3vqjhp41' },
  example: 'concord endpoints check whe_01h2xcejqtf2nbrexx3vqjhp41',
  async run({ client: connect, input, io, out, partner }) {
    const client = connect();
    const path = { id: partner(), endpoint_id: input.id('whe') };
    let check = await checkWebhookEndpoint({ client, path });
    out.note(`The check ${check.id} of ${check.url} runs.`);
    while (check.status === 'running' && !io.ended.aborted) {
      await pause(everyMs, io.ended);
      check = await getWebhookEndpointCheck({ client, path });
    }
    if (out.isJson) out.json(check);
    else {
      for (const each of check.cases) show(out, each);
      out.line(paint(check.status === 'passed' ? 'green' : 'red', check.status));
    }
    return check.status === 'failed' ? 'failed' : 'done';
  },
};

function show(out: Output, { name, status, expected, status_code: got, problem, advice }: EndpointCheckCase) {
  const colour = status === 'passed' ? 'green' : status === 'failed' ? 'red' : 'dim';
  out.line(paint(colour, status.padEnd(8)), `${name}  expected ${expected}, got ${got ?? 'no answer'}`);
  if (problem !== null) out.block(problem);
  if (advice !== null) out.block(advice);
}
