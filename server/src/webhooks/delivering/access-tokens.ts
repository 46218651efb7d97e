// Access tokens for endpoints that demand them (behaviour W71): each is fetched once, by one request at a time, and
// kept in memory for its life.
import { DestinationError, type Destinations, type Send } from '../../base/egress/index.ts';
import { keepLast } from '../../base/keep-last.ts';
import type { Sealings } from '../endpoints/secrets.ts';
import { prepareTokenRequest, readTokenAnswer, type Token, type TokenFailure } from './token-request.ts';

const maxKept = 10_000;
/** Attempts that follow a failure at once share it. Shorter than the first delay of the platform's retries. */
const failureMs = 3_000;

type Options = {
  send: Send;
  destinations: Destinations;
  authentication: Sealings['authentication'];
  now?: () => number;
};

/** `sealed`: it differs after each change of the setting. */
type Asked = Readonly<{
  /** Bare UUID. */
  endpointId: string;
  sealed: Buffer;
  userAgent: string;
  /** For the request for a token. */
  timeoutMs: number;
  /** A token that the receiver has refused. */
  refused?: string | undefined;
}>;
type Got = Token | TokenFailure;
type Kept = { readonly sealed: Buffer; readonly got: Promise<Got>; value: string | null; until: number };

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export function createAccessTokens({
  send,
  destinations,
  authentication,
  now = performance.now.bind(performance),
}: Options) {
  /** By endpoint. The one that was used last is the last. */
  const all = new Map<string, Kept>();

  async function fetchToken({ endpointId, sealed, userAgent, timeoutMs }: Asked): Promise<Got> {
    const client = authentication.open(endpointId, sealed);
    try {
      const url = destinations.parseUrl(client.token_url);
      return readTokenAnswer(await send({ url, ...prepareTokenRequest(client, userAgent), timeoutMs }));
    } catch (error) {
      // The settings have changed since the endpoint was created.
      if (error instanceof DestinationError) return { detail: `the token URL ${error.message}` };
      throw error;
    }
  }

  function start(asked: Asked): Kept {
    const since = now();
    const until = Number.POSITIVE_INFINITY;
    const kept: Kept = { sealed: asked.sealed, got: fetchToken(asked), value: null, until };
    kept.got.then(
      (got) => {
        kept.value = 'value' in got ? got.value : null;
        kept.until = 'value' in got ? since + got.usableMs : now() + failureMs;
      },
      // Concord failed. Who waits gets the error.
      () => {
        kept.until = 0;
      },
    );
    return kept;
  }

  return {
    /** Resolves with a token that can be used now, or with the reason why there is none. */
    get(asked: Asked): Promise<Got> {
      const { endpointId, sealed, refused } = asked;
      const known = all.get(endpointId);
      const isUsable = known?.sealed.equals(sealed) && now() < known.until && known.value !== refused;
      const kept = known && isUsable ? known : start(asked);
      keepLast(all, endpointId, kept, maxKept);
      return kept.got;
    },
  };
}
