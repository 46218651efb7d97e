// The text of an error, the same in forms, dialogs and toasts.
import type { ConcordError } from '@concord/client';
import { formatDuration } from '#format/time.ts';

/** By code, or by a message that says too little. Others say best what their message says. */
const general: Readonly<Record<string, string>> = {
  connection_failed: 'Concord does not answer. Check your connection, then try again.',
  timeout: 'Concord did not answer in time. Try again.',
  answer_lost: 'Concord did not answer, so this may already be done. Check before you try again.',
  invalid_answer:
    'Something on the way answered in place of Concord, such as a proxy, or a network that asks for a sign-in. Check your connection, then try again.',
  idempotency_in_flight: 'The first try is still under way. Try again shortly.',
  'Not found.': 'This was deleted, or you have lost access to it. Reload the page.',
  'The resource has changed: its ETag does not match If-Match.':
    'This was changed after you opened it, and your change is not saved. Reload the page, then make it again.',
};

/** `explain`: what a refusal means on this page, by its code. */
export const errorText = (
  { code, message, retryAfterMs }: ConcordError,
  explain: Readonly<Record<string, string>> = {},
): string =>
  explain[code] ??
  general[code] ??
  general[message] ??
  message.replace(
    'after the time in Retry-After',
    retryAfterMs === null ? 'later' : `in ${formatDuration(retryAfterMs / 1_000)}`,
  );
