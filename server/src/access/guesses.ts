// Look-ups of tokens. Requests with invalid tokens are counted by address, and an address with too many makes
// few look-ups at once.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../base/errors.ts';
import { addressGroup } from '../base/http/address-group.ts';
import { keepLast } from '../base/keep-last.ts';
import { createFairQueue, createLimit, type Window } from '../base/limits/index.ts';
import { type Bearer, secretText } from './bearer.ts';

const maxValid = 10_000;

export type Guesses = ReturnType<typeof createGuesses>;

export function createGuesses(window: Window) {
  const invalid = createLimit(
    'invalid-tokens',
    window,
    'Too many requests with invalid tokens come from this IP address',
  );
  // A look-up takes less than a millisecond, so a valid token finds its place even during a flood.
  const queue = createFairQueue({ name: 'invalid-tokens', retryAfterSeconds: 1 });
  /**
   * Tokens that were valid at their last use. They need not wait with guesses; each use still looks them up.
   */
  const valid = new Map<string, true>();

  return {
    /**
     * Runs the look-up of a token. @throws ServiceError unauthenticated when it finds nothing, rate_limited in
     * its place when too many tokens of this address were invalid
     */
    async lookUp<T>(
      request: FastifyRequest,
      reply: FastifyReply,
      bearer: Bearer,
      find: () => Promise<T | null>,
    ): Promise<T> {
      const group = () => addressGroup(request.ip);
      const key = `${bearer.kind} ${secretText(bearer)}`;
      const waits = !valid.has(key) && invalid.isExhausted(group());
      const found = await (waits ? queue.run(group(), find) : find()).catch((error: unknown) => {
        // The line is full. The answer names the limit that made the request wait.
        if (error instanceof ServiceError && error.code === 'rate_limited') invalid.count(group(), reply);
        throw error;
      });
      if (found === null) {
        valid.delete(key);
        invalid.count(group(), reply);
        throw new ServiceError('unauthenticated');
      }
      if (!valid.has(key)) keepLast(valid, key, true, maxValid);
      return found;
    },
  };
}
