// What the token in the mail of an invitation opens: what is offered, and the answers of the invited person.
import { type Caller, lockPartner } from '../../access/index.ts';
import { decide, enforce } from '../../access/permissions/index.ts';
import { ServiceError } from '../../base/errors.ts';
import { ownerOfPartner } from '../../base/http/callers.ts';
import { serializer } from '../../base/http/serialization.ts';
import {
  type Answer,
  type IdempotentRequest,
  noContent,
  ok,
  runIdempotent,
} from '../../base/idempotency/index.ts';
import { formatId } from '../../base/ids.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { pick } from '../../base/postgres/sql/rows.ts';
import { invitationTokens } from '../../people/index.ts';
import { bind, record } from '../agreements.ts';
import type { Options } from '../options.ts';
import * as wire from '../schema.ts';
import { type AgreementRow, deleteAgreement, findAgreement, selectAgreement, toAgreement } from '../store.ts';
import * as store from './store.ts';

/** The request names the agreement in its path, and has the token in a header. */
type Shown = { id: string; token: string };
/** `key`: of a request that can be repeated. */
type Answered = Shown & { key: IdempotentRequest };
type Answering = { tx: Transaction; by: Caller & { partnerId: string }; row: AgreementRow };

const toJson = serializer(wire.Agreement);

export function createInvitationAnswers({ db, operatorsNeedSecondFactor }: Options) {
  /** Runs `work` for the invited person, in the same order of locks as other changes of agreements. */
  async function answer(
    caller: Caller,
    shown: Answered,
    work: (answering: Answering) => Promise<Answer>,
  ): Promise<Answer> {
    const { key } = shown;
    // A repeated request has a token that has ended. It gets the kept answer.
    const named = await find(db, shown).catch((error) => {
      if (key === null || !(error instanceof ServiceError)) throw error;
      return null;
    });
    const inTransaction = (run: (tx: Transaction) => Promise<Answer>) =>
      named ? db.alsoFor(ownerOfPartner(named.partner.id), () => db.transaction(run)) : db.transaction(run);
    return inTransaction(async (tx) => {
      if (named) await lockPartner(tx, named.partner.id);
      const rechecked = await caller.recheck(tx);
      const { userId } = caller.principal;
      return runIdempotent(tx, key, userId, async () => {
        // Again: another request may have answered the invitation meanwhile.
        const { invited, partner } = await find(tx, shown);
        await store.lockAgreement(tx, invited.agreementId);
        const account = await store.selectAccount(tx, userId);
        if (account?.email !== invited.email) throw new ServiceError('invitation_for_other');
        if (!account.verified) throw new ServiceError('email_not_verified');
        const row = await selectAgreement(tx, invited.agreementId);
        return work({ tx, by: { ...rechecked, partnerId: partner.id }, row });
      });
    });
  }

  /** As for PATCH: the second factor that the agreement asks for, or that the service asks of operators. */
  function requireSecondFactor({ by: { principal, partnerId }, row }: Answering) {
    const facts = { principal, partnerId, membership: null, ownRequiresSecondFactor: row.mfa_required };
    const permission = { resource: 'agreements', method: 'patch' } as const;
    enforce(decide({ ...facts, item: 'own', operatorsNeedSecondFactor }, permission, 'answer'));
  }

  return {
    async show(shown: Shown) {
      const { invited, partner } = await find(db, shown);
      const row = await findAgreement(db, invited.agreementId);
      if (row === undefined) return refuse(db, shown.token);
      const { user, ...agreement } = toAgreement(row);
      return {
        ...pick(agreement, [
          'id',
          'owner',
          'mfa_required',
          'expires_at',
          'acl_permissions',
          'acl_permission_groups',
        ]),
        partner: { id: formatId('partner', partner.id), name: partner.name },
        inviter: invited.inviter === null ? null : { name: invited.inviter },
        email: user.email,
        has_account: await store.hasAccount(db, invited.email),
        invitation_expires_at: invited.expiresAt.toISOString(),
      };
    },

    accept: (caller: Caller, shown: Answered) =>
      answer(caller, shown, async (answering) => {
        requireSecondFactor(answering);
        const { tx, by, row } = answering;
        return ok(toJson(await bind(tx, by, row)));
      }),

    decline: (caller: Caller, shown: Answered) =>
      answer(caller, shown, async ({ tx, by, row }) => {
        await invitationTokens.endToken(tx, row.item_id, 'declined');
        await deleteAgreement(tx, row.item_id);
        await record(tx, by, 'agreement.decline', { userId: null, before: toAgreement(row), after: null });
        return noContent;
      }),
  };
}

/** @throws ServiceError the code that says why the token does not work, or does not work here */
async function find(on: Queryable, { id, token }: Shown) {
  const invited = await invitationTokens.requireInvited(on, token);
  if (formatId('agreement', invited.agreementId) !== id) throw new ServiceError('invalid_token');
  const partner = await store.selectPartner(on, invited.agreementId);
  if (partner === undefined) return refuse(on, token);
  return { invited, partner };
}

/** The agreement is gone since the token was read. If the invited person answered, the token says so now. */
async function refuse(on: Queryable, token: string): Promise<never> {
  await invitationTokens.requireInvited(on, token);
  throw new ServiceError('invitation_withdrawn');
}
