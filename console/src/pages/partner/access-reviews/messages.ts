// Words of access reviews.
import type { AccessReview, AccessReviewItem } from '@concord/client';
import { formatNumber } from '../../../format/numbers.ts';
import type { State } from '../../../messages/state.ts';

export const decisions: Readonly<Record<AccessReviewItem['decision'], State>> = {
  pending: { label: 'To decide', tone: 'info' },
  confirmed: { label: 'Confirmed', tone: 'good' },
  ended: { label: 'Ended', tone: 'neutral' },
  lapsed: { label: 'Ended: not confirmed', tone: 'warning' },
  kept: { label: 'Kept: the last owner', tone: 'warning' },
  gone: { label: 'Ended before', tone: 'neutral' },
  undecided: { label: 'Not decided', tone: 'neutral' },
};

export const reviewStates: Readonly<Record<AccessReview['state'], State>> = {
  open: { label: 'Open', tone: 'info' },
  closed: { label: 'Closed', tone: 'neutral' },
};

export const progressOf = ({ agreements: { total, pending, undecided } }: AccessReview): string =>
  `${formatNumber(total - pending - undecided)} of ${formatNumber(total)}`;

export const reviewProblems = {
  access_review_settled: 'Somebody was faster: this is decided already, or the review is closed.',
  last_owner: 'The last owner of a partner stays.',
};
