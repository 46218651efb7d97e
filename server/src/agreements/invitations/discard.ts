// Ends the invitations to a person who is being deleted. The log of the partner does not tell that they had
// an account.
import { recordForPartners, systemActor } from '../../audit/index.ts';
import type { ErasePerson } from '../../base/feature.ts';
import { formatId } from '../../base/ids.ts';
import { deleteInvitationsTo } from './store.ts';

export const discardInvitations: ErasePerson = async (tx, { emails }) => {
  const actor = systemActor('discard invitations');
  for (const { id, partner_id } of await deleteInvitationsTo(tx, emails)) {
    const entry = { actor, action: 'agreement.discard', target: formatId('agreement', id) };
    await recordForPartners(tx, { ...entry, changes: { accepted: { before: false, after: null } } }, [
      partner_id,
    ]);
  }
};
