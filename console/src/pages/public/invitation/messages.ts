// What the page of an invitation says about codes of errors.

/** Why the token of an invitation does not work, and what to do. */
export const invitationProblems: Readonly<Record<string, { readonly title: string; readonly text: string }>> =
  {
    invalid_token: {
      title: 'This link does not work',
      text: 'It may be cut off. Open it again from the mail. If that does not help, ask for a new invitation.',
    },
    invitation_used: {
      title: 'This invitation is answered',
      text: 'Each invitation is answered once. If you accepted it, sign in: the partner is on your first page.',
    },
    invitation_replaced: {
      title: 'There is a newer invitation',
      text: 'It was sent again, and only the link in the latest mail works. Look for a newer mail with the same subject.',
    },
    invitation_withdrawn: {
      title: 'This invitation is withdrawn',
      text: 'It does not exist any more. Ask the person who invited you for a new one.',
    },
    invitation_expired: {
      title: 'This invitation has expired',
      text: 'It lasts seven days. Ask the person who invited you to send it again.',
    },
  };

/** Why it cannot be answered now. */
export const answerProblems = {
  invitation_for_other: 'The invitation is for another address than yours. Sign in with that address.',
  email_not_verified: 'Your address is not confirmed yet. Set a new password: its mail confirms the address.',
  already_member:
    'You already have access to this partner with another address, so this invitation has been removed.',
  mfa_required:
    'This needs a code of your second factor in this session. Sign out, and sign in again with a code.',
  account_exists: 'This address has an account already. Sign in with it below.',
  ...Object.fromEntries(Object.entries(invitationProblems).map(([code, { text }]) => [code, text])),
} as const;
