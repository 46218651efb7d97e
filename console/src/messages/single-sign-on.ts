// Words for partners that require a sign-in with their identity provider, the same on every page.

export const signInNeeded = {
  title: (partner: string) => `${partner} requires a sign-in with its identity provider`,
  about: 'This session has no proof of such a sign-in, or it is too old. Sign in there, and come back here.',
  strange: 'This partner',
  signIn: 'Sign in with the identity provider',
  closed: 'This is closed until you have signed in with the identity provider.',
};

export const glass = {
  button: 'Use break glass…',
  title: 'Use break glass?',
  about:
    'You work without the identity provider for an hour at most. All owners get a mail with your reason, and the audit log keeps it.',
  reason: 'What happened',
  reasonHelp: 'All owners read it.',
  submit: 'Use break glass',
  cancel: 'Cancel',
  done: (until: string) => `You work without the identity provider until ${until}.`,
  noFactor: 'Break glass needs a second factor, and your account has none.',
  setUp: 'Set up the second factor',
};
export const glassProblems = {
  mfa_required: 'Break glass needs a session with a second factor. Sign in again with yours.',
  forbidden: 'Only the owners who are named for break glass may do this.',
};
