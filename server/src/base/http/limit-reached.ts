// Answers to requests above a limit.
import { ServiceError } from '../errors.ts';

type Reached = {
  name: string;
  quota: number;
  windowSeconds: number;
  secondsLeft: number;
  problem?: string | undefined;
};

/** A limit of a time window (draft-ietf-httpapi-ratelimit-headers). */
export function limitReached({
  name,
  quota,
  windowSeconds,
  secondsLeft,
  problem = 'Too many requests',
}: Reached): ServiceError {
  const seconds = Math.max(1, Math.ceil(secondsLeft));
  return new ServiceError('rate_limited', {
    detail: `${problem}: the limit "${name}" allows ${quota} in ${spanOf(windowSeconds)}. Try again in ${waitOf(seconds)}.`,
    headers: headersOf(`"${name}";q=${quota};w=${windowSeconds}`, name, seconds),
  });
}

/** A limit of requests that wait, and of how long they do. `what` is waiting. */
export function queueFull(
  name: string,
  quota: number,
  retryAfterSeconds: number,
  what: string,
  patienceMs?: number,
): ServiceError {
  const patience = patienceMs === undefined ? '' : ` ${spanOf(patienceMs / 1_000)}`;
  return new ServiceError('rate_limited', {
    detail: `Too many requests: the limit "${name}" allows ${quota} ${what} to wait${patience}. Try again in ${spanOf(retryAfterSeconds)}.`,
    headers: headersOf(`"${name}";q=${quota};qu="concurrent-requests"`, name, retryAfterSeconds),
  });
}

const headersOf = (policy: string, name: string, seconds: number) => ({
  'retry-after': String(seconds),
  'ratelimit-policy': policy,
  ratelimit: `"${name}";r=0;t=${seconds}`,
});

/** People need no seconds: 3594 is `60 minutes`. */
const waitOf = (seconds: number): string => spanOf(seconds > 120 ? Math.ceil(seconds / 60) * 60 : seconds);

/** 900 is `15 minutes`, and 90 is `90 seconds`. */
function spanOf(seconds: number): string {
  const [count, unit] = seconds >= 60 && seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
