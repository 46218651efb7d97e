// The text of an error, the same in forms, dialogs and toasts.
import type { ConcordError } from '@concord/client';

/** By code, or by a message that says too little. Others say best what their message says. */
const general: Readonly<Record<string, string>> = {
  connection_failed: 'Concord does not answer. Check your connection, then try again.',
  timeout: 'Concord did not answer in time. Try again.',
  'Not found.': 'This was deleted, or you have lost access to it. Reload the page.',
};

/** `explain`: what a refusal means on this page, by its code. */
export const errorText = (
  { code, message }: ConcordError,
  explain: Readonly<Record<string, string>> = {},
): string => explain[code] ?? general[code] ?? general[message] ?? message;
