// `concord deliveries show`: a delivery with its attempts, or one attempt with its request.
import { getAttempt, getDelivery } from '@concord/client';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { paint } from '../output.ts';

export const deliveriesShow: Command = {
  path: ['deliveries', 'show'],
  summary: 'Show a delivery with its attempts',
  details: 'The JSON of an attempt can be given to concord verify.',
  argument: { name: '<id>', description: 'the delivery, such as dlv_01h2xcejqtf2nbrexx3vqjhp41' },
  options: [{ flags: '--attempt <number>', description: 'one attempt, with what was sent' }],
  example: 'concord deliveries show dlv_01h2xcejqtf2nbrexx3vqjhp41 --attempt 1 --json | concord verify -',
  async run(context) {
    const { input, partner } = context;
    const path = { id: partner(), delivery_id: input.id('dlv') };
    const number = input.integer('attempt', 1_000_000);
    if (number === undefined) await showDelivery(context, path);
    else await showAttempt(context, { ...path, number: String(number) });
  },
};

type Path = { id: string; delivery_id: string };

async function showDelivery({ client, out }: Context, path: Path) {
  const delivery = await getDelivery({ client: client(), path });
  if (out.isJson) return out.json(delivery);
  out.table([
    ['Delivery', delivery.id],
    ['Event', `${delivery.event_type} ${delivery.event_id}`],
    ['Endpoint', `${delivery.endpoint_id} (${delivery.environment})`],
    ['State', delivery.state],
    ...(delivery.next_attempt_at ? [['Next attempt', delivery.next_attempt_at]] : []),
  ]);
  for (const attempt of delivery.attempts) {
    const result = attempt.status_code ?? attempt.error ?? '';
    out.line(`Attempt ${attempt.number}  ${attempt.started_at}  ${attempt.duration_ms} ms  ${result}`);
    if (attempt.response_body) out.block(attempt.response_body, '    < ');
  }
}

async function showAttempt({ client, out }: Context, path: Path & { number: string }) {
  const attempt = await getAttempt({ client: client(), path });
  if (out.isJson) return out.json(attempt);
  const { request, response_body: answer } = attempt;
  if (request !== null) {
    out.line(`${request.method} ${request.url}`);
    for (const { name, value } of request.headers) out.line(paint('dim', `${name}: ${value}`));
    out.line('');
    out.block(request.body, '');
  }
  out.line(`${attempt.status_code ?? attempt.error ?? ''}  ${attempt.duration_ms} ms`);
  if (answer) out.block(answer, '< ');
}
