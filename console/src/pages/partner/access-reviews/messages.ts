// Words of access reviews.
import type { AccessReview, AccessReviewItem } from '@concord/client';
import { formatNumber } from '../../../format/numbers.ts';
import type { StatusTone } from '../../../ui/text/text.tsx';

type Decision = AccessReviewItem['decision'];

export const decisions: Readonly<Record<Decision, { name: string; tone: StatusTone }>> = {
  pending: { name: 'To decide', tone: 'info' },
  confirmed: { name: 'Confirmed', tone: 'good' },
  ended: { name: 'Ended', tone: 'neutral' },
  lapsed: { name: 'Ended: not confirmed', tone: 'warning' },
  kept: { name: 'Kept: the last owner', tone: 'warning' },
  gone: { name: 'Ended before', tone: 'neutral' },
  undecided: { name: 'Not decided', tone: 'neutral' },
};

export const reviewStates: Readonly<Record<AccessReview['state'], { name: string; tone: StatusTone }>> = {
  open: { name: 'Open', tone: 'info' },
  closed: { name: 'Closed', tone: 'neutral' },
};

export const progressOf = ({ agreements: { total, pending, undecided } }: AccessReview): string =>
  `${formatNumber(total - pending - undecided)} of ${formatNumber(total)}`;

export const reviewProblems = {
  access_review_settled: 'Somebody was faster: this is decided already, or the review is closed.',
  last_owner: 'The last owner of a partner stays.',
};
