// Discovers an OpenID Connect provider when it is needed. A provider that is away is asked again after a
// pause.
import { once } from 'node:events';
import { ServiceError } from '../../base/errors.ts';

const maxBytes = 64 * 1024;
/** After a failure, requests are refused for this long without asking the provider. */
const pauseSeconds = 5;

type Options = {
  /** Without a slash at the end. */
  issuer: string;
  /** Takes the URL of the document into use. Runs until it succeeds once. */
  use: (url: string) => Promise<void>;
  onFailure: (error: unknown) => void;
  timeoutMs?: number;
  nowMs?: () => number;
};

/**
 * Requests at the same time share one discovery. After a success there is no other.
 * @returns a function that throws ServiceError provider_unavailable
 */
export function createDiscovery({
  issuer,
  use,
  onFailure,
  timeoutMs = 5_000,
  nowMs = () => performance.now(),
}: Options) {
  let done: Promise<void> | undefined;
  let pausedUntilMs = -Infinity;
  const unavailable = (cause?: unknown) =>
    new ServiceError('provider_unavailable', { headers: { 'retry-after': String(pauseSeconds) }, cause });

  async function discover() {
    const url = `${issuer}/.well-known/openid-configuration`;
    const signal = AbortSignal.timeout(timeoutMs);
    await check(url, signal);
    // better-auth reads the document itself, without a limit and a time: so only from a provider that has
    // just passed.
    await Promise.race([use(url), once(signal, 'abort').then(() => Promise.reject(signal.reason))]);
  }

  return async () => {
    if (nowMs() < pausedUntilMs) throw unavailable();
    done ??= discover().catch((error: unknown) => {
      done = undefined;
      pausedUntilMs = nowMs() + pauseSeconds * 1_000;
      onFailure(error);
      throw unavailable(error);
    });
    await done;
  };
}

async function check(url: string, signal: AbortSignal) {
  const response = await fetch(url, { headers: { accept: 'application/json' }, signal });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`${url} answered more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const document: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (!isDiscoveryDocument(document))
    throw new Error(`${url} names no valid authorization_endpoint, token_endpoint or jwks_uri`);
}

function isDiscoveryDocument(value: unknown) {
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Record<string, unknown>;
  const isUrl = (member: unknown) =>
    typeof member === 'string' && /^https?:/.test(member) && URL.canParse(member);
  return (
    isUrl(members.authorization_endpoint) &&
    isUrl(members.token_endpoint) &&
    (members.jwks_uri === undefined || isUrl(members.jwks_uri))
  );
}
