// Words of the pages of a partner, by code and state.
import type { State } from '#messages/state.ts';

/** Why an agreement cannot be changed, by code. */
export const agreementProblems = {
  last_owner:
    'This is the last owner. A partner needs an owner whose agreement never ends: make somebody else an owner first.',
  agreement_exists: 'This address already has access or an invitation. You can find it under People.',
  already_member: 'This person is already a member, with another address.',
};

export const groupProblems = {
  group_name_taken: 'Another group has this name. Choose a different one.',
  group_in_use: 'The group is in use again. Close this dialog and check who uses it.',
};

export const groupTypes = { managed: 'Built in', custom: 'Custom' } as const;

export const agreementStates: Readonly<Record<'pending' | 'active' | 'expired', State>> = {
  pending: { tone: 'info', label: 'Invited' },
  active: { tone: 'good', label: 'Member' },
  expired: { tone: 'neutral', label: 'Ended' },
};
