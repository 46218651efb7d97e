// Sends a request to an endpoint with what the endpoint demands of its sender: a token (behaviour W71), or a client
// certificate (W72).
import type { ClientCertificate, Outcome, Send } from '../../base/egress/index.ts';
import type { Sealings } from '../endpoints/secrets.ts';
import type { Terms } from '../lanes/hand-over.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { Token, TokenFailure } from './token-request.ts';

type Signed = Readonly<{ headers: Readonly<Record<string, string>>; body: Buffer }>;

type ToSend = Readonly<{
  /** Bare UUID. */
  endpointId: string;
  terms: Pick<Terms, 'sealed_authentication' | 'sealed_client_certificate'>;
  url: URL;
  toSelf: boolean;
  /** For the token and the request together. */
  timeoutMs: number;
  userAgent: string;
  /**
   * Signs the request. One that is sent again is signed again, since receivers refuse a copy. `elapsedMs`: since
   * the beginning.
   */
  prepare: (elapsedMs: number) => Promise<Signed>;
}>;

export type SendToEndpoint = (request: ToSend) => Promise<Outcome>;

export function createSendToEndpoint({
  send,
  tokens,
  certificates,
}: {
  send: Send;
  tokens: AccessTokens;
  certificates: Sealings['certificates'];
}): SendToEndpoint {
  function clientOf({ endpointId, terms, toSelf }: ToSend): ClientCertificate | undefined {
    const { sealed_client_certificate: sealed } = terms;
    if (sealed === null || toSelf) return undefined;
    return {
      // The first bytes have the nonce and the tag, so they differ for each sealing.
      id: `${endpointId} ${sealed.toString('base64', 0, sealedHeadBytes)}`,
      open: () => certificates.open(endpointId, sealed),
    };
  }

  async function sendWithToken(request: ToSend, sealed: Buffer): Promise<Outcome> {
    const { prepare, url, toSelf } = request;
    const client = clientOf(request);
    const start = performance.now();
    const elapsedMs = () => Math.round(performance.now() - start);

    async function sendOnce(refused?: string): Promise<{ outcome: Outcome; used: string | null }> {
      const waitMs = request.timeoutMs - elapsedMs();
      const got = await within(waitMs, tokens.get({ ...request, sealed, refused }));
      if ('detail' in got)
        return { outcome: { ...tokenFailed, detail: got.detail, durationMs: 0 }, used: null };
      const { headers: signed, body } = await prepare(elapsedMs());
      const headers = { ...signed, authorization: `Bearer ${got.value}` };
      const timeoutMs = Math.max(1, request.timeoutMs - elapsedMs());
      const outcome = await send({ url, body, toSelf, headers, timeoutMs, client });
      return { outcome: without(got.value, outcome), used: got.value };
    }

    const { outcome: first, used } = await sendOnce();
    const isRefused = used !== null && first.kind === 'answered' && first.status === 401;
    const { outcome } = isRefused ? await sendOnce(used) : { outcome: first };
    return { ...outcome, durationMs: elapsedMs() };
  }

  return async (request) => {
    const { terms, prepare, url, toSelf, timeoutMs } = request;
    if (terms.sealed_authentication !== null) return sendWithToken(request, terms.sealed_authentication);
    return send({ ...(await prepare(0)), url, toSelf, timeoutMs, client: clientOf(request) });
  };
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

/** A request for a token can have been begun by an attempt that ends later. */
async function within(ms: number, got: Promise<Token | TokenFailure>): Promise<Token | TokenFailure> {
  const late = Promise.withResolvers<TokenFailure>();
  const timer = setTimeout(
    () => late.resolve({ detail: 'no token in the time of the attempt' }),
    Math.max(0, ms),
  );
  try {
    return await Promise.race([got, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
