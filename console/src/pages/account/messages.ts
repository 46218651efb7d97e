// What the pages of the account say about codes of errors, and what they call things.

export const passwordProblems = { invalid_password: 'The password is wrong.' } as const;

export const deletionProblems = {
  ...passwordProblems,
  last_operator: 'You are the last operator. Make another user an operator first.',
} as const;

/** After the return from a provider that was to be linked. */
export const linkProblems: Readonly<Record<string, string>> = {
  provider_refused:
    'The provider did not agree, or its account has another address or belongs to somebody else.',
  email_not_verified: 'The provider has not confirmed your address.',
  provider_unavailable: 'The provider does not answer. Try again in a few seconds.',
};

/** The row of the password, which is no link. */
export const passwordProvider = 'credential';
export const providerNames: Readonly<Record<string, string>> = {
  google: 'Google',
  github: 'GitHub',
  microsoft: 'Microsoft',
  oidc: 'OpenID Connect',
};
