// Words of access reviews.
import type { AccessReview, AccessReviewItem, AccessReviewPolicy } from '@concord/client';
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

const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`;

export const policyWords = {
  off: 'Off',
  interval: 'Reviews',
  every: ({ interval_days }: AccessReviewPolicy) =>
    interval_days === null ? 'Off' : `Every ${days(interval_days)}`,
  warning: 'Warning',
  warns: ({ warning_days }: AccessReviewPolicy) =>
    `${days(warning_days)} after the opening, and ${days(warning_days)} before the end`,
  next: 'Next review',
  turnOn: 'Turn on reviews',
  change: 'Change',
  turnOff: 'Turn off',
  title: 'How often is access reviewed?',
  about:
    'A review opens at once. Owners get a mail when it opens, and a warning before what nobody confirmed ends.',
  changeAbout: 'This counts from the next review on.',
  intervalLabel: 'A review opens every',
  intervalHelp: 'In days, from 7 to 366.',
  warningLabel: 'Days until the warning, and from the warning to the end',
  warningHelp: 'At most half of the interval.',
  save: 'Save',
  saved: 'Reviews are on.',
  offTitle: 'Turn off reviews?',
  offAbout: 'The open review closes, and no access ends. Documents of earlier reviews stay.',
  offDone: 'Reviews are off.',
};

export const words = {
  title: 'Access reviews',
  about: 'Owners confirm each agreement from time to time. What nobody confirms ends after a warning.',
  none: 'No review has been opened. Turn on reviews, and owners are asked who still needs access.',
  noneListed: 'This review has no agreements.',
  one: 'Access review',
  opened: 'Opened',
  state: 'State',
  progress: 'Decided',
  ends: 'Ends',
  closed: 'Closed',
  warned: 'The owners were warned',
  warnedAbout: (end: string) => `What nobody confirms ends on ${end}.`,
  person: 'Agreement',
  access: 'Access',
  decision: 'Decision',
  anyDecision: 'Any decision',
  contains: 'contains',
  by: (name: string) => `, by ${name}`,
  email: 'E-mail address',
  owner: 'Owner',
  program: 'Service account',
  erased: 'Deleted account',
  nothing: 'No permissions',
  download: 'Download the document',
  confirm: 'Confirm',
  confirmSelected: (count: number) =>
    count === 0 ? 'Confirm the selected' : `Confirm ${formatNumber(count)} selected`,
  confirmed: (name: string) => `${name} keeps the access.`,
  confirmedMany: (count: number) => `${formatNumber(count)} confirmed.`,
  end: 'End the access',
  endTitle: (name: string) => `End the access of ${name}?`,
  endAbout: 'It ends now. The agreement stays in the list of people as ended.',
  ended: (name: string) => `The access of ${name} has ended.`,
  yours: 'If the partner has another owner, they decide about your own agreement.',
};

export const progressOf = ({ agreements: { total, pending, undecided } }: AccessReview): string =>
  `${formatNumber(total - pending - undecided)} of ${formatNumber(total)}`;

export const reviewProblems = {
  access_review_settled: 'Somebody was faster: this is decided already, or the review is closed.',
  last_owner: 'The last owner of a partner stays.',
};
