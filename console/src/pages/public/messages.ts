// What the public pages say about codes of errors.

/** Why a link of a mail does not work. */
export const deadLink =
  'This link does not work any more: it was used, replaced by a newer one, or it is too old.';

export const signInProblems = {
  invalid_credentials: 'The e-mail address or the password is wrong.',
  banned: 'Your account is blocked. Ask the people who run this Concord.',
  rate_limited: 'That was wrong too many times. Wait a quarter of an hour, or set a new password.',
  provider_unavailable: 'The provider does not answer. Try again in a few seconds, or use your password.',
} as const;

export const codeProblems = {
  invalid_code: 'The code is wrong, or was used already. A new one appears every 30 seconds.',
  invalid_token: 'The sign-in took too long. Start again.',
  rate_limited: 'That was wrong too many times. Wait a quarter of an hour.',
} as const;

/** A visit to the identity provider of a partner that proved nothing. */
export const connectionProblems: Readonly<Record<string, string>> & { readonly other: string } = {
  banned: signInProblems.banned,
  invalid_token: 'The way back from the provider took too long, or another browser began it. Start again.',
  other: 'The way back from the identity provider did not work. Start again.',
};
