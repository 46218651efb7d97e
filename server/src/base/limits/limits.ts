// The rate limits: requests in a time window, for each credential or IP address.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimit } from '../config-values.ts';
import { addressGroup } from '../http/address-group.ts';
import { limitReached } from '../http/limit-reached.ts';
import { createWindowCounts, type WindowState } from './window-counts.ts';

export type Window = RateLimit;

export type Limits = ReturnType<typeof createRequestLimits>;

/** A user's limit, in limits of one credential: sessions and tokens cost nothing. */
const credentialsOfUser = 4;

export function createRequestLimits(window: Window, countTogether?: (key: string) => Promise<WindowState>) {
  const count = countTogether
    ? createSharedLimit(window, countTogether)
    : createLimit('default', window).count;
  const countUser = createUserLimit(window);
  return {
    /** Counts a request of this credential, and of its user. @throws ServiceError rate_limited */
    async count(key: string, userId: string, reply: FastifyReply): Promise<void> {
      // First the credential: a flood of one must not lock out the others of its user.
      await count(key, reply);
      countUser(userId);
    },
    /** The onRequest hook of routes that anyone may call. */
    perAddress: async (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
      count(`address ${addressGroup(request.ip)}`, reply),
  };
}

/** Counts in this instance only. Only a 429 shows it. */
function createUserLimit(window: Window) {
  if (window === 'off') return () => {};
  const { windowSeconds } = window;
  const quota = credentialsOfUser * window.requests;
  const counts = createWindowCounts({ requests: quota, windowSeconds });
  const problem = 'Too many requests come from all credentials of this user';
  return (userId: string): void => {
    const { exceeded, secondsLeft } = counts.count(userId);
    if (exceeded) throw limitReached({ name: 'user', quota, windowSeconds, secondsLeft, problem });
  };
}

function createSharedLimit(window: Window, countTogether: (key: string) => Promise<WindowState>) {
  if (window === 'off') return () => {};
  const judge = createJudge('default', window);
  return async (key: string, reply: FastifyReply) => judge(await countTogether(key), reply);
}

/** Counts in this instance only. Answers show its state. `problem` begins the message of its 429. */
export function createLimit(name: string, window: Window, problem?: string) {
  if (window === 'off') return { count: () => {}, isExhausted: () => false };
  const counts = createWindowCounts(window);
  const judge = createJudge(name, window, problem);
  return {
    count: (key: string, reply: FastifyReply): void => judge(counts.count(key), reply),
    isExhausted: counts.isExhausted,
  };
}

/**
 * Shows the window in the answer (draft-ietf-httpapi-ratelimit-headers). @throws ServiceError rate_limited
 */
function createJudge(name: string, { requests, windowSeconds }: Exclude<Window, 'off'>, problem?: string) {
  const policy = `"${name}";q=${requests};w=${windowSeconds}`;
  return ({ remaining, secondsLeft, exceeded }: WindowState, reply: FastifyReply): void => {
    void reply.header('ratelimit-policy', policy);
    void reply.header('ratelimit', `"${name}";r=${remaining};t=${secondsLeft}`);
    if (exceeded) throw limitReached({ name, quota: requests, windowSeconds, secondsLeft, problem });
  };
}
