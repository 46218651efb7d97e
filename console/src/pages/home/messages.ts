// What the first page says about codes of errors.

export const acceptProblems: Readonly<Record<string, string>> = {
  already_member:
    'You already have access to this partner with another address, so the invitation has been removed.',
  invitation_expired: 'The invitation has expired. Ask for a new one.',
  mfa_required:
    'The partner asks for a second factor. Set one up, or sign in again with a code, then accept.',
  email_not_verified: 'Your address is not confirmed yet. Set a new password: its mail confirms the address.',
  not_found: 'The invitation does not exist any more.',
};
