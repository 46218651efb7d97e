// What the page of an invitation says about codes of errors.

/** Why the token of an invitation does not work, and what to do. */
export const invitationProblems: Readonly<Record<string, { readonly title: string; readonly text: string }>> =
  {
    invalid_token: {
      title: 'This link does not work',
      text: 'It may have been cut off. Open it again from the mail. If that does not help, ask for a new invitation.',
    },
    invitation_used: {
      title: 'This invitation was answered',
      text: 'An invitation can be answered once. If you accepted it, sign in: your first page shows the partner.',
    },
    invitation_replaced: {
      title: 'There is a newer invitation',
      text: 'It was sent again, and only the link in the latest mail works. Look for a newer mail with the same subject.',
    },
    invitation_withdrawn: {
      title: 'This invitation was withdrawn',
      text: 'It does not exist any more. Ask the person who invited you for a new one.',
    },
    invitation_expired: {
      title: 'This invitation has expired',
      text: 'Invitations last seven days. Ask the person who invited you to send it again.',
    },
  };

/** Why it cannot be answered now. */
export const answerProblems = {
  invitation_for_other: 'The invitation is for another address. Sign in with that address.',
  email_not_verified:
    'Your address is not confirmed yet. Set a new password: the link in the mail confirms the address.',
  already_member:
    'You already have access to this partner with another address, so this invitation has been removed.',
  mfa_required: 'This requires your second factor in this session. Sign out, and sign in again with it.',
  account_exists: 'This address already has an account. Sign in with it below.',
  ...Object.fromEntries(Object.entries(invitationProblems).map(([code, { text }]) => [code, text])),
};
