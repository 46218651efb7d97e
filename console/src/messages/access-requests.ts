// Words for access that is asked for, the same on every page.
import type { AccessRequest } from '@concord/client';

type State = AccessRequest['state'];

export const requestStates: Readonly<
  Record<State, { name: string; tone: 'info' | 'good' | 'bad' | 'neutral' }>
> = {
  pending: { name: 'Waiting', tone: 'info' },
  approved: { name: 'Approved', tone: 'good' },
  denied: { name: 'Denied', tone: 'bad' },
  withdrawn: { name: 'Withdrawn', tone: 'neutral' },
  lapsed: { name: 'Lapsed', tone: 'neutral' },
  ended: { name: 'Ended', tone: 'neutral' },
};

/** In seconds. */
export const durations = [
  { value: '3600', label: '1 hour' },
  { value: '14400', label: '4 hours' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
  { value: '7776000', label: '90 days' },
] as const;

/** Of a usual duration its own words: `1 day` and not `24 h`. */
export const durationName = (seconds: number): string | undefined =>
  durations.find(({ value }) => value === String(seconds))?.label;

export const requestProblems = {
  access_request_settled: 'Somebody was faster: this request is answered or withdrawn already.',
};

/** In the place of what a person may not see. */
export const denied = {
  before: 'You need the permission ',
  after: ' to see this.',
  ask: (names: string) => ` Ask for it: ${names}.`,
  givers: (names: string) => ` Who can give it: ${names}.`,
};

export const asking = {
  cancel: 'Cancel',
  title: 'Ask for access',
  about: 'People who may give this access get a mail. Once one of them approves, it works at once.',
  button: 'Ask for access',
  submit: 'Send the request',
  permissions: 'What you need',
  duration: 'For how long',
  durationHelp: 'From the approval on. Then it ends by itself.',
  reason: 'Why',
  reasonHelp: 'Those who decide read it.',
  none: 'Choose at least one.',
  done: 'You have asked for access.',
  waits: 'You have asked for it. The answer comes by mail.',
  yours: 'See the request',
};

export const answering = {
  person: 'Person',
  asks: 'Asks for',
  because: 'Because',
  for: 'For',
  state: 'State',
  anyState: 'Any state',
  asked: 'Asked',
  lapses: 'lapses ',
  ends: 'ends ',
  by: (name: string) => `by ${name}`,
  cancel: 'Cancel',
  title: 'Access requests',
  decide: 'What members ask for, for some time. You can approve what you may grant yourself.',
  own: 'What you have asked for, and what came of it.',
  none: 'Nobody has asked for access.',
  noneOfYours: 'You have not asked for access. Where a page is closed to you, it has a button for that.',
  strange: 'This partner does not exist, or you have no access to it.',
  approve: 'Approve',
  deny: 'Deny',
  withdraw: 'Withdraw',
  end: 'End the access',
  approveTitle: (name: string) => `Give ${name} this access?`,
  approveAbout: 'It works with the next request of that person, and ends by itself.',
  denyTitle: (name: string) => `Deny the request of ${name}?`,
  denyAbout: 'The person gets a mail with what you write here.',
  denySubmit: 'Deny the request',
  note: 'Why not',
  noteHelp: 'Optional.',
  withdrawTitle: 'Withdraw your request?',
  withdrawAbout: 'Nobody can approve it any more. You can ask again.',
  withdrawSubmit: 'Withdraw the request',
  endTitle: (name: string) => `End this access of ${name}?`,
  endAbout: 'From the next request on, it gives nothing any more. What the agreement itself grants stays.',
  approved: (name: string) => `${name} has the access now.`,
  denied: (name: string) => `The request of ${name} is denied.`,
  withdrawn: 'The request is withdrawn.',
  ended: 'The access has ended.',
};
