// Words of the sign-in policy.
import { formatCount } from '../../../format/numbers.ts';
import { formatDuration } from '../../../format/time.ts';

/** In seconds. */
const ages = [
  { value: '3600', label: '1 hour' },
  { value: '14400', label: '4 hours' },
  { value: '43200', label: '12 hours' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];
export const ageInWords = (seconds: number): string =>
  ages.find(({ value }) => value === String(seconds))?.label ?? formatDuration(seconds);
/** With the present one, which a program can have set to any second. */
export const agesWith = (seconds: number) =>
  [...new Set([...ages.map(({ value }) => Number(value)), seconds])]
    .toSorted((one, other) => one - other)
    .map((age) => ({ value: String(age), label: ageInWords(age) }));

export const policyWords = {
  title: 'Required sign-in',
  about:
    'Whether people need a sign-in with the identity provider to work here, and who may work without it.',
  change: 'Change',
  uses: 'See who used break glass',
  requiredOf: 'Required of',
  everybody: 'Everybody',
  nobody: 'Nobody',
  some: (count: number) => formatCount(count, 'person', 'people'),
  age: 'A sign-in counts for',
  glass: 'Break glass',
  anyOwner: 'Any owner',
  gone: 'An owner of before',

  dialogAbout: 'To require it of one person only, change the terms of that agreement under People.',
  required: 'Everybody must sign in with the identity provider',
  requiredHelp: 'If not, it is one way to sign in among others.',
  noConnection: 'Turn a connection on first: add one, test it, and press "Turn on".',
  ageHelp: 'Then people sign in at the provider again.',
  glassHelp:
    'They may work without the provider for an hour, with a second factor. All owners get a mail each time. Name at least two.',
  glassEmpty: 'If you name nobody who has a second factor, each owner may.',
  noOwner: 'This partner has no owner. Invite one first, so that somebody may.',
  save: 'Save',
  cancel: 'Cancel',
  yes: 'Yes',
  no: 'No',
  saved: 'The sign-in policy is saved.',
  conflict: 'the sign-in policy',

  consequences: 'From the moment you save',
  people: 'People without an account at the provider are locked out, until they have one. Nobody is removed.',
  sessions: 'People who are signed in with a password sign in at the provider, in the same session.',
  tokens: 'Access tokens of people do not work here any more.',
  programs: 'Service accounts and their tokens work as before. Operators of this Concord are not bound.',

  proveFirst: 'Sign in there first',
  proveAbout:
    'Your own session must have signed in with the identity provider, so that you do not lock yourself out. You come back here. Then save again.',

  fields: {
    sso_required: 'Required of everybody',
    max_age_seconds: 'A sign-in counts for',
    break_glass_agreement_ids: 'Break glass',
    sso_required_agreement_ids: 'Required of',
  } as Readonly<Record<string, string>>,
};

/** Of a single agreement. */
export const agreementPolicy = {
  label: 'Require a sign-in with the identity provider',
  help: 'The agreement grants nothing in a session without one. Access tokens of this person do not work here then.',
  ofAll: 'It is required of everybody at this partner, under Single sign-on.',
  fact: 'Single sign-on',
  required: 'Required',
  notRequired: 'Not required',
  problem:
    'To require it, the partner needs an identity provider that is on: set one up under Single sign-on.',
};
