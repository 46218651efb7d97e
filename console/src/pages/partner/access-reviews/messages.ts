// Words of access reviews.
import type { AccessReview } from '@concord/client';
import { formatNumber } from '#format/numbers.ts';
import type { State } from '#messages/state.ts';

export const reviewStates: Readonly<Record<AccessReview['state'], State>> = {
  open: { label: 'Open', tone: 'info' },
  closed: { label: 'Closed', tone: 'neutral' },
};

export const progressOf = ({ agreements: { total, pending, undecided } }: AccessReview): string =>
  `${formatNumber(total - pending - undecided)} of ${formatNumber(total)}`;
