// Explains an invalid signature: what was checked, and which similar URL the sender signed.
import type { UnverifiedSignature, Verifier } from '@concord/http-message-signatures';
import { WebhookError } from './errors.ts';
import type { Keys } from './key-cache.ts';
import { linesOf, type ReadRequest } from './request.ts';

/** Anyone can send invalid requests, and a search takes up to 13 verifications. */
const searchEveryMs = 1_000;
/** When the keys were last used for a search, in Unix milliseconds. */
const searchedAt = new WeakMap<Keys, number>();

/**
 * True at most once a second for the same keys. Call it only for an invalid signature, since true starts the
 * second.
 */
export function maySearch(keys: Keys, now: number): boolean {
  if (Math.abs(now - (searchedAt.get(keys) ?? -searchEveryMs)) < searchEveryMs) return false;
  searchedAt.set(keys, now);
  return true;
}

/** Characters of a name and a port. Encoding longer ones takes quadratic time. */
const maxHostLength = 260;

type Failed = {
  readonly request: ReadRequest;
  readonly signature: UnverifiedSignature;
  readonly key: Verifier;
  readonly base: string;
  /** Whether to try similar URLs. */
  readonly search: boolean;
};

export async function explainInvalid({
  request,
  signature,
  key,
  base,
  search,
}: Failed): Promise<WebhookError> {
  const { url } = request;
  // Only this line is written again for each URL: the fields can be long, and their clients choose how many
  // are covered.
  const verifies = (other: string) =>
    key.verify(
      new TextEncoder().encode(base.replace(/^"@target-uri": .*$/m, () => `"@target-uri": ${other}`)),
      signature.signature,
    );
  let verifiesWith: string | undefined;
  for (const other of search ? listSimilar(request) : []) {
    if (await verifies(other)) {
      verifiesWith = other;
      break;
    }
  }
  const hint = verifiesWith
    ? `. The sender signed ${verifiesWith}: if that is this endpoint, set url to it`
    : '. Compare the URL with the registered one, and pass every header and the body as they were received';
  return new WebhookError(
    'signature_invalid',
    'verify',
    `The signature was not made for this request to ${url}${hint}`,
    {
      detail: { url, base, verifiesWith },
    },
  );
}

/**
 * At most 13 URLs: the other scheme, a slash more or less at the end, and the hosts that the request names.
 */
function listSimilar({ url, headers, requestedUrl }: ReadRequest): Set<string> {
  const similar = new Set<string>();
  const hosts = [undefined, ...['x-forwarded-host', 'host'].map((name) => readFirst(headers, name))];
  for (const [index, host] of hosts.entries()) {
    if (index > 0 && host === undefined) continue;
    for (const hasOtherSlash of [false, true]) {
      for (const hasOtherScheme of [false, true]) {
        const other = new URL(url);
        if (hasOtherScheme) other.protocol = other.protocol === 'https:' ? 'http:' : 'https:';
        if (host !== undefined) {
          other.port = '';
          // An invalid host changes nothing.
          other.host = host;
        }
        const { pathname } = other;
        if (hasOtherSlash) other.pathname = pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`;
        similar.add(other.href);
      }
    }
  }
  if (requestedUrl !== undefined) {
    similar.add(requestedUrl.replace(/^http:/, 'https:'));
    similar.add(requestedUrl.replace(/^https:/, 'http:'));
  }
  similar.delete(url);
  return similar;
}

/** The first value of a header that may be a list. */
function readFirst(headers: ReadRequest['headers'], name: string): string | undefined {
  const [line] = linesOf(headers).find(([each]) => each === name)?.[1] ?? [];
  const first = line?.split(',', 1)[0]?.trim();
  return first !== undefined && first.length <= maxHostLength ? first : undefined;
}
