// What the public pages say about codes of errors.

/** Why a link in a mail does not work. */
export const deadLink = 'This link no longer works: it was used, was replaced by a newer one, or is too old.';

export const signInProblems = {
  banned: 'Your account is blocked. Ask the people who run this Concord.',
  provider_unavailable: 'The provider does not answer. Try again in a few seconds, or use your password.',
};

/** A visit to a provider that ended without a session or a proof. Of other problems Concord says what is wrong. */
export const returnProblems: Readonly<Record<string, string>> = {
  banned: signInProblems.banned,
  invalid_token: 'The sign-in at the provider took too long, or began in another browser. Start again.',
};
