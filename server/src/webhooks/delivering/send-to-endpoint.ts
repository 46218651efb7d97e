// Sends a request to an endpoint with what the endpoint demands of its sender: its own headers, a token (behaviour
// W71), or a client certificate (W72).

import type { ClientCertificate, Destinations, Outcome, Send } from '../../base/egress/index.ts';
import { within } from '../../base/within.ts';
import type { RetryTerms } from '../endpoints/retry-terms.ts';
import type { Sealings } from '../endpoints/secrets.ts';
import type { Terms } from '../lanes/hand-over.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { Token, TokenFailure } from './token-request.ts';

type Signed = Readonly<{ headers: Readonly<Record<string, string>>; body: Buffer }>;

type ToSend = Readonly<{
  /** Bare UUID. */
  endpointId: string;
  terms: Terms;
  userAgent: string;
  /** For an endpoint that asks for it. Null: there is none. */
  traceparent: string | null;
  /**
   * Signs the request. One that is sent again is signed again, since receivers refuse a copy. `elapsedMs`: since
   * the beginning.
   */
  prepare: (url: URL, elapsedMs: number) => Promise<Signed>;
}>;

type Options = {
  send: Send;
  tokens: AccessTokens;
  destinations: Destinations;
  sealings: Sealings;
  retryTerms: RetryTerms;
  /**
   * Whether the endpoint's URL is the sandbox receiver of its partner, where webhooks may go whatever its
   * address is.
   */
  isReceiver: (endpointId: string, url: string) => Promise<boolean>;
};

export type SendToEndpoint = (request: ToSend) => Promise<Outcome>;

export function createSendToEndpoint(options: Options): SendToEndpoint {
  const { send, tokens, destinations, sealings, retryTerms, isReceiver } = options;

  /** Where the request goes, how long it may take, and how it is signed, with the endpoint's own headers. */
  async function open({ endpointId, terms, traceparent, ...request }: ToSend) {
    const { sealed_headers: sealedHeaders, sealed_client_certificate: sealed } = terms;
    const toSelf = await isReceiver(endpointId, terms.url);
    const url = toSelf ? new URL(terms.url) : destinations.parseUrl(terms.url);
    const own = sealedHeaders && passTrace(sealings.headers.open(endpointId, sealedHeaders), traceparent);
    const client: ClientCertificate | undefined =
      sealed === null || toSelf
        ? undefined
        : {
            // The first bytes have the nonce and the tag, so they differ for each sealing.
            id: `${endpointId} ${sealed.toString('base64', 0, sealedHeadBytes)}`,
            open: () => sealings.certificates.open(endpointId, sealed),
          };
    const prepare = async (elapsedMs: number): Promise<Signed> => {
      const { headers, body } = await request.prepare(url, elapsedMs);
      return { headers: { ...own, ...headers }, body };
    };
    return { to: { url, toSelf, client }, totalMs: retryTerms.timeoutMs(terms), prepare };
  }

  /** The token and the request share the time. */
  async function sendWithToken(request: ToSend, sealed: Buffer): Promise<Outcome> {
    const { to, totalMs, prepare } = await open(request);
    const start = performance.now();
    const elapsedMs = () => Math.round(performance.now() - start);

    async function sendOnce(refused?: string): Promise<{ outcome: Outcome; used: string | null }> {
      // It can have been begun by an attempt that ends later.
      const asked = tokens.get({ ...request, timeoutMs: totalMs, sealed, refused });
      const got = await within(totalMs - elapsedMs(), asked, noTokenInTime);
      if ('detail' in got)
        return { outcome: { ...tokenFailed, detail: got.detail, durationMs: 0 }, used: null };
      const { headers: signed, body } = await prepare(elapsedMs());
      const headers = { ...signed, authorization: `Bearer ${got.value}` };
      const timeoutMs = Math.max(1, totalMs - elapsedMs());
      const outcome = await send({ ...to, body, headers, timeoutMs });
      return { outcome: without(got.value, outcome), used: got.value };
    }

    const { outcome: first, used } = await sendOnce();
    const isRefused = used !== null && first.kind === 'answered' && first.status === 401;
    const { outcome } = isRefused ? await sendOnce(used) : { outcome: first };
    return { ...outcome, durationMs: elapsedMs() };
  }

  return async (request) => {
    const { sealed_authentication: sealed } = request.terms;
    if (sealed !== null) return sendWithToken(request, sealed);
    const { to, totalMs, prepare } = await open(request);
    return send({ ...(await prepare(0)), ...to, timeoutMs: totalMs });
  };
}

/**
 * The value by which an endpoint asks for the traceparent of each attempt. Other values are sent as they are.
 */
const askedTrace = 'concord';

function passTrace(
  headers: Readonly<Record<string, string>>,
  traceparent: string | null,
): Readonly<Record<string, string>> {
  const asking = Object.keys(headers).find(
    (name) => name.toLowerCase() === 'traceparent' && headers[name] === askedTrace,
  );
  if (asking === undefined) return headers;
  const { [asking]: _, ...others } = headers;
  return traceparent === null ? others : { ...others, [asking]: traceparent };
}

/** A receiver can write what it got into its answer, which is kept. If it escaped the token, nothing stays escaped. */
function without(token: string, outcome: Outcome): Outcome {
  if (outcome.kind === 'failed') return outcome;
  const text = outcome.body.toString('latin1');
  const plain = unescaped(text);
  if (!text.includes(token) && !plain.includes(token)) return outcome;
  const masked = text.replaceAll(token, '[token]');
  const shown = unescaped(masked).includes(token) ? plain.replaceAll(token, '[token]') : masked;
  return { ...outcome, body: Buffer.from(shown, 'latin1') };
}

/** As JSON, URLs and HTML write characters, perhaps twice. */
const escapes = /(?:\\{1,4}u00|%(?:25)?|&#x)([0-7][\da-f]);?|&#(\d{2,3});|\\{1,4}(?=\/)/gi;
const unescaped = (text: string) =>
  text.replaceAll(escapes, (_, hex?: string, decimal?: string) =>
    hex === undefined && decimal === undefined
      ? ''
      : String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );

const sealedHeadBytes = 32;
const tokenFailed = { kind: 'failed', reason: 'token' } as const;
const noTokenInTime = (): Token | TokenFailure => ({ detail: 'no token in the time of the attempt' });
