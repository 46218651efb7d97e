// `concord listen`: receives webhooks on this machine, without an address that the internet can reach.
import type { Command } from '../command.ts';
import { type Context, requireToken } from '../context.ts';
import { CliError } from '../exits.ts';
import { forward, type ListenerRequest, type Outcome } from '../listening/forward.ts';
import { listen as runListener } from '../listening/listener.ts';
import { paint } from '../output.ts';
import { toHttpUrl } from '../settings.ts';

export const listen: Command = {
  path: ['listen'],
  summary: 'Receive sandbox webhooks on this machine',
  details:
    'Concord signs each request for the URL of --forward-to. The listener is deleted at Ctrl-C. Your answer is the answer of the delivery; Concord keeps 16 KiB of it.',
  options: [
    { flags: '--forward-to <url>', description: 'where requests go, usually on this machine' },
    { flags: '--types <list>', description: 'event types with commas between them; default: all' },
    { flags: '--print-only', description: 'forwards nothing: prints each request, and answers 204' },
    { flags: '-v, --verbose', description: 'prints headers and bodies too' },
  ],
  example: 'concord listen --forward-to http://localhost:4000/hooks --types inventory.updated',
  atEnd: 'itself',
  async run(context) {
    const { input, io, out, settings } = context;
    const isPrintOnly = input.flag('printOnly');
    const target = toTarget(input.text('forwardTo'), isPrintOnly);
    await runListener({
      client: context.client(),
      baseUrl: context.url(),
      token: requireToken(settings),
      partner: context.partner(),
      forwardTo: target.href,
      eventTypes: input.list('types') ?? null,
      ended: io.ended,
      handle: async (request) =>
        isPrintOnly ? { status: 204, body: '', durationMs: 0 } : forward(request, target, io.ended),
      onEndpoint: ({ id, url }) =>
        out.note(
          `Listening as ${id}, signed for ${url}. ${isPrintOnly ? 'Nothing is forwarded.' : ''}`.trimEnd(),
        ),
      onOpen: (isFirst) => out.note(isFirst ? 'Ready. Press Ctrl-C to end.' : 'Connected again.'),
      onHandled: (request, outcome) => show(context, request, outcome),
      onProblem: (text) => out.note(text),
    });
  },
};

function toTarget(text: string | undefined, isPrintOnly: boolean): URL {
  if (text === undefined && !isPrintOnly)
    throw new CliError(
      'usage',
      'Where do requests go? Set --forward-to http://localhost:4000/hooks, or --print-only',
    );
  // `localhost:4000` would be a URL with the scheme localhost.
  const whole = text?.replace(/^(?=(?:localhost|127\.0\.0\.1)(?:[:/]|$))/, 'http://') ?? 'http://localhost/';
  const url = toHttpUrl(whole, '--forward-to', 'http://localhost:4000/hooks');
  if (url.username || url.password) throw new CliError('usage', 'The URL of --forward-to must have no user');
  url.hash = '';
  return url;
}

function show({ input, out }: Context, request: ListenerRequest, outcome: Outcome): void {
  const isVerbose = input.flag('verbose') || input.flag('printOnly');
  const { id: _, headers, body, ...facts } = request;
  const { durationMs: duration_ms, ...answer } = outcome;
  if (out.isJson) {
    out.jsonLine({ ...facts, ...(isVerbose && { headers, body }), answer: { ...answer, duration_ms } });
    return;
  }
  const time = new Date().toTimeString().slice(0, 8);
  const isGood = 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
  const result = 'status' in outcome ? String(outcome.status) : outcome.error;
  out.line(
    paint('dim', time),
    `  ${facts.event_type}  `,
    paint(isGood ? 'green' : 'red', result),
    `  ${duration_ms} ms  `,
    paint('dim', `${facts.delivery_id}${facts.attempt > 1 ? `, attempt ${facts.attempt}` : ''}`),
  );
  if (!isVerbose) return;
  for (const { name, value } of headers) out.line(paint('dim', `    ${name}: ${value}`));
  out.block(body);
  if ('status' in outcome && outcome.body !== '') out.block(outcome.body, '    < ');
}
