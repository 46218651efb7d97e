// The filters of the list of deliveries that find a reason of the statistics.
import type { Reason } from '#messages/webhooks.ts';

export const filterOfReason = (reason: Reason): Record<string, string> =>
  reason === 'status_4xx'
    ? { status_code: '4xx' }
    : reason === 'status_5xx'
      ? { status_code: '5xx' }
      : { reason };
