// The rate limits: a number of requests in a time window, for each credential, or for each IP address without one.
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { limitReached } from './limit-reached.ts';
import { createWindowCounts, type WindowCounts, type WindowState } from './window-counts.ts';

export type Window = { readonly requests: number; readonly windowSeconds: number } | 'off';

export type Limits = {
  /** Counts a request of this credential. @throws ServiceError rate_limited */
  count(key: string, reply: FastifyReply): Promise<void>;
  /** The onRequest hook of routes that anyone may call. */
  perAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
};

export function createLimits(window: Window): Limits {
  const limit = createLimit('default', window);
  return {
    count: async (key, reply) => limit.count(key, reply),
    perAddress: async (request, reply) => limit.count(`address ${addressGroup(request.ip)}`, reply),
  };
}

/** One limit, whose state answers show. `problem` begins the message of its 429. */
export function createLimit(name: string, window: Window, problem?: string) {
  if (window === 'off') return { count: () => {}, isExhausted: () => false };
  const { requests, windowSeconds } = window;
  // In memory, so each instance counts separately.
  const counts: WindowCounts = createWindowCounts(window);

  /** draft-ietf-httpapi-ratelimit-headers */
  function show(reply: FastifyReply, { remaining, secondsLeft }: WindowState): void {
    void reply.header('ratelimit-policy', `"${name}";q=${requests};w=${windowSeconds}`);
    void reply.header('ratelimit', `"${name}";r=${remaining};t=${secondsLeft}`);
  }

  return {
    /** @throws ServiceError rate_limited above the limit */
    count(key: string, reply: FastifyReply): void {
      const state = counts.count(key);
      show(reply, state);
      if (!state.exceeded) return;
      throw limitReached({ name, quota: requests, windowSeconds, secondsLeft: state.secondsLeft, problem });
    },
    isExhausted: counts.isExhausted,
  };
}

/** One home or host has a whole IPv6 /64, so these addresses count as one. */
export function addressGroup(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4'
    ? address.toString()
    : ipaddr.fromByteArray([...address.toByteArray().slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]).toString();
}
