// What the token in the mail of an invitation opens: what is offered, and the answers of the invited person.
import { type Caller, lockPartner } from '../../access/index.ts';
import { invitationTokens } from '../../accounts/index.ts';
import { ServiceError } from '../../errors.ts';
import { formatId } from '../../ids.ts';
import type { Database, Queryable, Transaction } from '../../postgres/database.ts';
import type { Agreement } from '../agreement.ts';
import { bind, record } from '../agreements.ts';
import { type AgreementRow, deleteAgreement, findAgreement, selectAgreement, toAgreement } from '../store.ts';
import * as store from './store.ts';

/** The request names the agreement in its path, and has the token in a header. */
type Shown = { id: string; token: string };
type Answering = { tx: Transaction; by: Caller & { partnerId: string }; row: AgreementRow };

export type InvitationAnswers = ReturnType<typeof createInvitationAnswers>;

export function createInvitationAnswers({ db }: { db: Database }) {
  /** Runs `work` for the invited person, in the same order of locks as other changes of agreements. */
  const answer = <T>(caller: Caller, shown: Shown, work: (answering: Answering) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      const { partner } = await find(tx, shown);
      await lockPartner(tx, partner.id);
      const rechecked = await caller.recheck(tx);
      // Again: another request may have answered the invitation meanwhile.
      const { invited } = await find(tx, shown);
      await store.lockAgreement(tx, invited.agreementId);
      const account = await store.selectAccount(tx, caller.principal.userId);
      if (account?.email !== invited.email) throw new ServiceError('invitation_for_other');
      if (!account.verified) throw new ServiceError('email_not_verified');
      const row = await selectAgreement(tx, invited.agreementId);
      return work({ tx, by: { ...rechecked, partnerId: partner.id }, row });
    });

  return {
    async show(shown: Shown) {
      const { invited, partner } = await find(db, shown);
      const row = await findAgreement(db, invited.agreementId);
      if (row === undefined) throw new ServiceError('invitation_withdrawn');
      const agreement = toAgreement(row);
      return {
        id: agreement.id,
        partner: { id: formatId('partner', partner.id), name: partner.name },
        inviter: invited.inviter === null ? null : { name: invited.inviter },
        email: agreement.user.email,
        has_account: await store.hasAccount(db, invited.email),
        owner: agreement.owner,
        mfa_required: agreement.mfa_required,
        expires_at: agreement.expires_at,
        acl_permissions: agreement.acl_permissions,
        acl_permission_groups: agreement.acl_permission_groups,
        invitation_expires_at: invited.expiresAt.toISOString(),
      };
    },

    async accept(caller: Caller, shown: Shown): Promise<Agreement> {
      const accepted = await answer(caller, shown, async ({ tx, by, row }) => {
        const { role, secondFactor } = by.principal;
        if (row.mfa_required && role !== 'operator' && secondFactor !== 'proven') throw new ServiceError('mfa_required');
        return bind(tx, by, row);
      });
      // Thrown after the commit, which has deleted the invitation.
      if (accepted === 'already_member') throw new ServiceError('already_member');
      return accepted;
    },

    decline: (caller: Caller, shown: Shown): Promise<void> =>
      answer(caller, shown, async ({ tx, by, row }) => {
        await invitationTokens.endToken(tx, row.item_id, 'declined');
        await deleteAgreement(tx, row.item_id);
        await record(tx, by, 'agreement.decline', { before: toAgreement(row), after: null });
      }),
  };
}

/** @throws ServiceError the code that says why the token does not work, or does not work here */
async function find(on: Queryable, { id, token }: Shown) {
  const invited = await invitationTokens.requireInvited(on, token);
  if (formatId('agreement', invited.agreementId) !== id) throw new ServiceError('invalid_token');
  const partner = await store.selectPartner(on, invited.agreementId);
  if (partner === undefined) throw new ServiceError('invitation_withdrawn');
  return { invited, partner };
}
