// `concord verify`: whether Concord signed a captured request, and which step of the verification fails.
import { type CapturedWebhook, parseCapturedWebhook } from '@concord/client';
import { verifyWebhook, WebhookError, type WebhookStep } from '@concord/webhook-receiver';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { CliError } from '../exits.ts';
import { paint } from '../output.ts';
import { readNamed } from '../read-json.ts';
import { reasonOf } from '../report.ts';
import { toHttpUrl } from '../settings.ts';
import { openKeys } from '../verifying/keys.ts';

/** docs/receiving-webhooks.md explains them. */
const steps: readonly (readonly [WebhookStep, string])[] = [
  ['request', 'The request has a size and characters that are allowed'],
  ['parse', 'Signature and Signature-Input can be parsed'],
  ['requirements', 'Everything that Concord covers is covered'],
  ['fetch_keys', 'The keys can be read'],
  ['find_key', 'The keys have the key that signed'],
  ['rebuild', 'The signature base can be built'],
  ['verify', 'The signature is valid'],
  ['digest', 'The body is the one that was signed'],
  ['event', 'The body is an event'],
];
const partnerStep = ['partner', 'The event is of the partner'] as const;

export const verify: Command = {
  path: ['verify'],
  summary: 'Verify a captured webhook, and say which step fails',
  details:
    'FILE has HTTP as text, a curl command line, or the JSON of an attempt. With a file of keys, nothing goes over the network. The time is that of the signature; --at now refuses one older than five minutes. Only a given --partner is checked.',
  argument: { name: '<file>', description: 'the captured request, or - for stdin' },
  options: [
    { flags: '--jwks <source>', description: 'a file or URL of keys; default: those of your Concord' },
    { flags: '--endpoint-url <url>', description: 'the URL of the endpoint; default: that of the request' },
    { flags: '--at <time>', description: 'when it arrived: now, or like 2026-01-31T12:00:00Z' },
  ],
  example: 'concord verify request.txt --jwks https://concord.example.com/.well-known/jwks.json',
  async run(context) {
    const { input, io, out } = context;
    const file = input.required();
    const captured = parse(file === '-' ? await io.readStdin() : await readNamed(file, 'The request'));
    const given = input.text('endpointUrl');
    const url =
      given === undefined
        ? captured.url
        : toHttpUrl(given, '--endpoint-url', 'https://hooks.example.com/concord').href;
    if (url === null)
      throw new CliError('usage', 'The request does not say where it went. Set --endpoint-url');
    const source = input.text('jwks') ?? defaultKeys(context, captured);
    const keys = await openKeys(source, input.flag('insecureHttp'), (text) => out.note(text));
    const partnerId = input.text('partner');
    const at = timeOf(input.text('at'), captured);
    const failure = await verifyWebhook(
      { ...captured, url },
      { keys, now: () => at, ...(partnerId === undefined ? { anyPartner: true } : { partnerId }) },
    ).then(
      () => null,
      (error: unknown) => {
        if (error instanceof WebhookError) return error;
        throw error;
      },
    );
    show(context, failure, { at, source, hasPartner: partnerId !== undefined });
    if (failure?.code === 'keys_unavailable') return 'unreachable';
    return failure === null ? 'done' : 'failed';
  },
};

function parse(file: Buffer): CapturedWebhook {
  try {
    return parseCapturedWebhook(file);
  } catch (error) {
    throw new CliError('usage', (error as Error).message, { cause: error });
  }
}

const defaultKeys = (context: Context, { environment }: CapturedWebhook): string =>
  `${context.url()}${environment === 'sandbox' ? '/sandbox' : ''}/.well-known/jwks.json`;

/** In milliseconds. */
function timeOf(given: string | undefined, { signedAt }: CapturedWebhook): number {
  if (given === 'now') return Date.now();
  if (given !== undefined) {
    const time = /^\d{4}-\d\d-\d\dT/.test(given) ? Date.parse(given) : Number.NaN;
    if (Number.isNaN(time))
      throw new CliError('usage', `--at must be now, or like 2026-01-31T12:00:00Z: ${given}`);
    return time;
  }
  return signedAt ?? Date.now();
}

const reasonFor = ({ code, message, cause }: WebhookError): string =>
  code === 'keys_unavailable' ? message + reasonOf(cause) : message;

type Shown = { at: number; source: string; hasPartner: boolean };

function show({ out }: Context, failure: WebhookError | null, { at, source, hasPartner }: Shown): void {
  const detail = failure?.detail;
  const verifiedAt = new Date(at).toISOString();
  if (out.isJson) {
    out.json({
      verified: failure === null,
      step: failure?.step ?? null,
      code: failure?.code ?? null,
      reason: failure && reasonFor(failure),
      checked_url: detail?.url ?? null,
      signature_base: detail?.base ?? null,
      matching_url: detail?.verifiesWith ?? null,
      at: verifiedAt,
      keys: source,
    });
    return;
  }
  const list = hasPartner ? [...steps, partnerStep] : steps;
  const failed = list.findIndex(([step]) => step === failure?.step);
  for (const [index, [step, text]] of list.entries()) {
    const isFailed = index === failed;
    const isOpen = failure !== null && index > failed;
    const mark = isFailed ? paint('red', 'fail') : isOpen ? paint('dim', '-   ') : paint('green', 'ok  ');
    out.line(mark, `  ${step.padEnd(12)}  `, text);
  }
  out.line('');
  if (failure === null) {
    out.line(paint('green', 'Verified'), `, as of ${verifiedAt}, with the keys of ${source}.`);
    return;
  }
  out.line(paint('red', failure.code), `  ${reasonFor(failure)}`);
  if (detail === undefined) return;
  out.line('The signature base that was checked:');
  out.block(detail.base);
}
