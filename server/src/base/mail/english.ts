// The mails in English. Another language is another file with the same functions.
import { createComposer, type Mail, oneLine } from './mail.ts';

const composeMail = createComposer({ language: 'en', copyLink: 'Or copy this link' });

const whatStays =
  'Concord keeps in its audit log what your user did, under an id, without your name and addresses. Partners keep what you wrote about them.';

const ignoreIt = 'If it was not you, ignore this mail.';

export const verifyAddress = (to: string, url: string): Mail =>
  composeMail(
    to,
    'Verify your e-mail address',
    [
      'Someone, probably you, signed up for Concord with this address. To create the account, open the link and enter the password that you chose. The link is valid for one day.',
    ],
    { label: 'Verify the address', url },
    [ignoreIt],
  );

export const accountExists = (to: string): Mail =>
  composeMail(to, 'You already have an account', [
    'Someone, probably you, tried to sign up with this address. It already has an account.',
    'Sign in with it, or request a new password if you forgot yours. If it was not you, ignore this mail.',
  ]);

export const resetPassword = (to: string, url: string): Mail =>
  composeMail(
    to,
    'Set a new password',
    [
      'Someone, probably you, requested a new password for your Concord account. To set it, open the link. It is valid for one hour.',
    ],
    { label: 'Set a new password', url },
    ['If it was not you, ignore this mail: your password does not change.'],
  );

export const confirmNewAddress = (to: string, url: string): Mail =>
  composeMail(
    to,
    'Confirm your new e-mail address',
    [
      'Someone, probably you, requested this address for their Concord account. To confirm it, open the link and enter the password of the account. The link is valid for one hour.',
    ],
    { label: 'Confirm the address', url },
    [ignoreIt],
  );

export const addressTaken = (to: string): Mail =>
  composeMail(to, 'This address already has an account', [
    'Someone, probably you, requested this address for another Concord account. It already has an account, so the other account keeps its address.',
    ignoreIt,
  ]);

export const confirmDeletion = (to: string, url: string): Mail =>
  composeMail(
    to,
    'Confirm the deletion of your account',
    [
      'Someone, probably you, requested the deletion of your Concord account. To delete it, open the link. It is valid for one hour.',
      whatStays,
    ],
    { label: 'Delete the account', url },
    ['If it was not you, do not open the link, and request a new password at once.'],
  );

const resetAtOnce =
  'If it was not you, request a new password at once. That ends every session and every access token of your account.';
const tellOperators = 'If it was not you, tell the operators of this Concord at once.';

/** `what` continues as "... at <time>", and ", from the address <IP>". */
const changes = {
  password_changed: {
    subject: 'Your password was changed',
    what: 'The password of your Concord account was changed',
    ifNotYou: resetAtOnce,
  },
  email_change_requested: {
    subject: 'A new address for your account was requested',
    what: 'A change of the e-mail address of your Concord account was requested',
    ifNotYou:
      'The change takes effect when it is confirmed from the new address. If it was not you, request a new password at once. That stops the change, and ends every session and every access token of your account.',
  },
  email_changed: {
    subject: 'The address of your account was changed',
    what: 'The e-mail address of your Concord account was changed',
    ifNotYou: tellOperators,
  },
  second_factor_enabled: {
    subject: 'A second factor was enabled',
    what: 'The second factor of your Concord account was enabled',
    ifNotYou: tellOperators,
  },
  second_factor_disabled: {
    subject: 'The second factor was disabled',
    what: 'The second factor of your Concord account was disabled',
    ifNotYou: resetAtOnce,
  },
  second_factor_removed: {
    subject: 'An operator removed your second factor',
    what: 'An operator removed the second factor of your Concord account, and every session has ended. This was done',
    ifNotYou:
      'Sign in without it, and enable a new one. If you did not ask for this, tell the operators of this Concord at once, and request a new password.',
  },
  backup_codes_made: {
    subject: 'New backup codes were made for your account',
    what: 'New backup codes, which replace the earlier ones, were made for your Concord account',
    ifNotYou: `${resetAtOnce} Then sign in, and make new backup codes: a new password does not end them.`,
  },
  passkey_added: {
    subject: 'A passkey was added to your account',
    what: 'A passkey, which signs in without the password, was added to your Concord account',
    ifNotYou: `${resetAtOnce} Then sign in, and remove the passkey: a new password does not end it. If you cannot sign in, tell the operators of this Concord.`,
  },
  passkey_removed: {
    subject: 'A passkey was removed from your account',
    what: 'A passkey of your Concord account was removed',
    ifNotYou: resetAtOnce,
  },
  provider_linked: {
    subject: 'A provider was linked to your account',
    what: 'An account of a sign-in provider was linked to your Concord account',
    ifNotYou: `${resetAtOnce} Then unlink the provider.`,
  },
  provider_unlinked: {
    subject: 'A provider was unlinked from your account',
    what: 'An account of a sign-in provider was unlinked from your Concord account',
    ifNotYou: resetAtOnce,
  },
  access_token_created: {
    subject: 'An access token was created',
    what: 'An access token of your Concord account was created',
    ifNotYou: resetAtOnce,
  },
  user_deleted: {
    subject: 'Your account was deleted',
    what: 'Your Concord account was deleted',
    ifNotYou: `${tellOperators} ${whatStays}`,
  },
};
export type Change = keyof typeof changes;
/** `ip` null: of somebody else, who is not shown. */
type AccountChanged = { kind: Change; at: Date; ip: string | null; isLast: boolean };

/** `isLast`: an hour has only so many notices of this kind. */
export function accountChanged(to: string, { kind, at, ip, isLast }: AccountChanged): Mail {
  const { subject, what, ifNotYou } = changes[kind];
  return composeMail(to, subject, [
    `${what} at ${minuteOf(at)} UTC${ip === null ? '' : `, from the address ${ip}`}.`,
    ifNotYou,
    ...(isLast ? ['There were several such changes. You get no more mails about them for an hour.'] : []),
  ]);
}

type Invitation = {
  partner: string;
  inviter: string;
  owner: boolean;
  mfaRequired: boolean;
  /** An RFC 3339 time. Null: the agreement does not end. */
  endsAt: string | null;
  groups: readonly string[];
  /** `*`: of all resources. */
  permissions: readonly { readonly resource: string; readonly methods: readonly string[] }[];
  /** The end of the invitation. */
  until: Date;
  url: string;
};

export const invitation = (to: string, { partner, inviter, until, url, ...terms }: Invitation): Mail =>
  composeMail(
    to,
    `You are invited to ${oneLine(partner)}`,
    [
      `${oneLine(inviter)} invites you to work with ${oneLine(partner)} on Concord${terms.owner ? ', as an owner' : ''}.`,
      termsText(terms),
      `You can accept or decline it until ${minuteOf(until)} UTC.`,
    ],
    { label: 'See the invitation', url },
    [
      'If you do not know who invites you, ignore this mail. The link is for you alone: it proves your address.',
    ],
  );

function termsText({
  owner,
  mfaRequired,
  endsAt,
  groups,
  permissions,
}: Omit<Invitation, 'partner' | 'inviter' | 'until' | 'url'>): string {
  // A mail names some: a partner can have 50 groups in an agreement.
  const named =
    groups.slice(0, 5).map(oneLine).join(', ') + (groups.length > 5 ? ` and ${groups.length - 5} more` : '');
  const direct = permissions.map(
    ({ resource, methods }) => `${resource === '*' ? 'everything' : resource} (${methods.join(', ')})`,
  );
  const given = [...(groups.length > 0 ? [`the permission groups ${named}`] : []), ...direct].join('; ');
  // Terms can be set after the invitation, when this mail is on its way.
  if (!owner && given === '' && !mfaRequired && endsAt === null)
    return 'The link shows what it gives you, and until when.';
  return [
    owner
      ? 'As an owner you hold all permissions.'
      : given === ''
        ? 'It gives no permissions yet.'
        : `It gives you: ${given}.`,
    ...(mfaRequired ? ['It requires a second factor.'] : []),
    endsAt === null ? 'It has no end.' : `It ends at ${minuteOf(endsAt)} UTC.`,
  ].join(' ');
}

/** `2026-01-31 08:00` of a time, or of an RFC 3339 time in UTC. */
const minuteOf = (time: Date | string) =>
  (typeof time === 'string' ? time : time.toISOString()).slice(0, 16).replace('T', ' ');

/** Members need not know the owners, so the mail names none. */
export const agreementEnds = (to: string, { partner, endsAt }: { partner: string; endsAt: Date }): Mail =>
  composeMail(to, `Your access to ${oneLine(partner)} ends soon`, [
    `Your agreement with ${oneLine(partner)} on Concord ends at ${minuteOf(endsAt)} UTC. You have no access to it from then on.`,
    'To keep your access, ask an owner of the partner to extend your agreement.',
  ]);

type RefusedMember = { partner: string; connection: string; reason: string; page: string };

/** `page` is in the console. The mail names no person: it says what is wrong with the terms. */
export const newMembersRefused = (to: string, { partner, connection, reason, page }: RefusedMember): Mail =>
  composeMail(
    to,
    `People cannot join ${oneLine(partner)}`,
    [
      `Somebody wanted to join ${oneLine(partner)} on Concord with the identity provider ${oneLine(connection)}, and was refused. ${reason}`,
      'An owner can set the terms of new members again. You get at most one such mail a day.',
    ],
    { label: 'Open the connection', url: page },
  );

type BrokenGlass = { partner: string; person: string; reason: string; at: Date; until: Date };

export const glassBroken = (to: string, { partner, person, reason, at, until }: BrokenGlass): Mail =>
  composeMail(to, `Break glass was used at ${oneLine(partner)}`, [
    `${oneLine(person)} works at ${oneLine(partner)} on Concord without the identity provider since ${minuteOf(at)} UTC. This ends at ${minuteOf(until)} UTC.`,
    `The reason that was given: ${oneLine(reason)}`,
    'If this should not be, end the agreement of this owner, and tell the operators of this Concord.',
  ]);

type AccessTerms = {
  partner: string;
  /** `deliveries.query`. */
  permissions: readonly string[];
  reason: string;
  note: string | null;
  endsAt: Date | null;
  page: string;
};

/** A mail names some: a request can name many. */
const namedOf = (permissions: readonly string[]) =>
  permissions.slice(0, 5).join(', ') +
  (permissions.length > 5 ? ` and ${permissions.length - 5} more permissions` : '');

/** `isLast`: an hour has only so many mails of this kind. */
export const accessRequested = (
  to: string,
  { partner, permissions, reason, page, asker, isLast }: AccessTerms & { asker: string; isLast: boolean },
): Mail =>
  composeMail(
    to,
    `${oneLine(asker)} asks for access to ${oneLine(partner)}`,
    [
      `${oneLine(asker)} asks for ${namedOf(permissions)} at ${oneLine(partner)} on Concord. You can approve or deny it.`,
      `The reason: ${oneLine(reason)}`,
    ],
    { label: 'See the request', url: page },
    isLast ? ['There were several requests. You get no more mails about them for an hour.'] : [],
  );

export type AccessAnswer = 'approved' | 'denied' | 'ended' | 'lapsed';

export function accessAnswered(
  to: string,
  { partner, permissions, note, endsAt, page, answer }: AccessTerms & { answer: AccessAnswer },
): Mail {
  const [where, what] = [`${oneLine(partner)} on Concord`, namedOf(permissions)];
  const texts: Record<AccessAnswer, [string, string]> = {
    approved: ['is approved', `You have ${what} at ${where} until ${minuteOf(endsAt ?? '')} UTC.`],
    denied: ['is denied', `You do not get ${what} at ${where}.`],
    ended: ['has ended', `Somebody ended your access to ${what} at ${where} before its time was over.`],
    lapsed: [
      'was not answered',
      `Nobody answered your request for ${what} at ${where} in time. Ask again if you still need it.`,
    ],
  };
  const [subject, text] = texts[answer];
  return composeMail(
    to,
    `Your request for access to ${oneLine(partner)} ${subject}`,
    [text, ...(note === null ? [] : [`The answer: ${oneLine(note)}`])],
    { label: 'See the request', url: page },
  );
}

type LostDomain = { partner: string; domain: string; record: string; what: 'lost' | 'gone'; page: string };

/** `lost`: the record is missing. `gone`: the domain is no longer verified. */
export const domainLost = (to: string, { partner, domain, record, what, page }: LostDomain): Mail =>
  composeMail(
    to,
    `${domain} is ${what === 'lost' ? 'not proved any more' : 'no longer verified'}`,
    what === 'lost'
      ? [
          `The DNS record ${record} of ${oneLine(partner)} is missing. People who have access keep it. Nobody new joins by this domain meanwhile.`,
          'Restore the record within 7 days. Afterwards the domain is no longer verified, and another partner can verify it.',
        ]
      : [
          `${domain} is no longer verified for ${oneLine(partner)}: its DNS record is missing, or another partner has proved the domain. People with its addresses can no longer sign in with it.`,
          'An owner can restore the record and verify the domain again.',
        ],
    { label: 'Open the domains', url: page },
  );

type ReviewTold = {
  partner: string;
  what: 'opened' | 'warned';
  /** Agreements that nobody has decided about. */
  pending: number;
  endsAt: Date;
  page: string;
};

export function accessReview(to: string, { partner, what, pending, endsAt, page }: ReviewTold): Mail {
  const [name, end] = [oneLine(partner), minuteOf(endsAt)];
  const agreements = pending === 1 ? 'One agreement' : `${pending} agreements`;
  return composeMail(
    to,
    what === 'opened' ? `Review who has access to ${name}` : `Access to ${name} ends soon`,
    [
      what === 'opened'
        ? `${agreements} of ${name} on Concord ${pending === 1 ? 'waits' : 'wait'} for a review: confirm the people and programs that still need access.`
        : `${agreements} of ${name} on Concord ${pending === 1 ? 'is' : 'are'} not confirmed yet.`,
      `What nobody confirms ends at ${end} UTC.`,
    ],
    { label: 'Open the review', url: page },
  );
}

type EndingToken = { name: string; prefix: string; endsAt: Date };

/** `prefix` of a token is no secret. */
export const accessTokenEnds = (to: string, { name, prefix, endsAt }: EndingToken): Mail =>
  composeMail(to, 'An access token ends soon', [
    `Your access token ${oneLine(name)} (${prefix}...) ends at ${minuteOf(endsAt)} UTC. Programs that use it get 401 from then on.`,
    'If you still need it, create a new one with POST /me/access-tokens and give it to those programs.',
  ]);

type DisabledEndpoint = Record<'partner' | 'host' | 'reason' | 'page' | 'url', string> & { isLast: boolean };

/**
 * `host`: of the receiver. `page`: in the console. `url`: in the API. `isLast`: an hour has only so many mails about the
 * endpoints of a partner.
 */
export const endpointDisabled = (
  to: string,
  { partner, host, reason, page, url, isLast }: DisabledEndpoint,
): Mail =>
  composeMail(
    to,
    `A webhook endpoint of ${oneLine(partner)} is disabled`,
    [
      `Concord no longer sends webhooks of ${oneLine(partner)} to ${oneLine(host)}. ${reason}`,
      'Concord keeps new events for the endpoint for 30 days. To continue, repair the receiver, then resume the endpoint.',
    ],
    { label: 'Open the endpoint', url: page },
    [
      `A program resumes it with POST ${url}/resume.`,
      ...(isLast ? ['There were several such mails. You get no more about this partner for an hour.'] : []),
    ],
  );

type DeprecatedType = { partner: string; type: string; at: Date; successor: string | null; page: string };

/** `page` is in the console. Operators name types, of a-z, 0-9, _ and dots. */
export const eventTypeDeprecated = (
  to: string,
  { partner, type, at, successor, page }: DeprecatedType,
): Mail =>
  composeMail(
    to,
    `The event type ${type} is deprecated`,
    [
      `A live webhook endpoint of ${oneLine(partner)} names the event type ${type}. Do not rely on it from ${minuteOf(at)} UTC on.`,
      successor === null
        ? 'No other type takes its place.'
        : `Use ${successor} instead: add it to the types of the endpoint.`,
    ],
    { label: 'Open the event type', url: page },
  );
