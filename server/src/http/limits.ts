// The rate limit: a number of requests in a time window, for each credential, or for each IP address without one.
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { ServiceError } from '../errors.ts';

type Window = { readonly requests: number; readonly windowSeconds: number } | 'off';

export type Limits = {
  /** Counts a request of this credential. @throws ServiceError rate_limited */
  count(key: string, reply: FastifyReply): Promise<void>;
  /** The onRequest hook of routes that anyone may call. */
  perAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
};

export function createLimits(window: Window): Limits {
  if (window === 'off') return { count: async () => {}, perAddress: async () => {} };

  const { requests, windowSeconds } = window;
  // In memory, so each instance counts separately. A key is removed when its window ends.
  const limiter = new RateLimiterMemory({ points: requests, duration: windowSeconds });
  const policy = `"default";q=${requests};w=${windowSeconds}`;

  async function count(key: string, reply: FastifyReply): Promise<void> {
    const { state, exceeded } = await limiter.consume(key).then(
      (state) => ({ state, exceeded: false }),
      (state: RateLimiterRes) => ({ state, exceeded: true }),
    );
    const secondsLeft = Math.ceil(state.msBeforeNext / 1_000);
    // draft-ietf-httpapi-ratelimit-headers
    void reply.header('ratelimit-policy', policy);
    void reply.header('ratelimit', `"default";r=${state.remainingPoints};t=${secondsLeft}`);
    if (exceeded)
      throw new ServiceError('rate_limited', {
        headers: { 'retry-after': String(Math.max(1, secondsLeft)) },
      });
  }

  return { count, perAddress: (request, reply) => count(`address ${addressGroup(request.ip)}`, reply) };
}

/** One home or host has a whole IPv6 /64, so these addresses count as one. */
export function addressGroup(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4'
    ? address.toString()
    : ipaddr.fromByteArray([...address.toByteArray().slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]).toString();
}
