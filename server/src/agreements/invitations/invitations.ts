// Invitations: their mails, and their rate limits.
import type { Granted } from '../../access/index.ts';
import { methodNames } from '../../access/permissions/index.ts';
import { recordAction, systemActor } from '../../audit/index.ts';
import { storedEmailKey } from '../../base/email.ts';
import type { ErasePerson } from '../../base/feature.ts';
import { type Answer, type IdempotentRequest, isAnswered } from '../../base/idempotency/index.ts';
import { formatId } from '../../base/ids.ts';
import { mails } from '../../base/mail/index.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { invitationTokens } from '../../people/index.ts';
import type { Agreement } from '../agreement.ts';
import type { Options } from '../options.ts';
import { deleteInvitationsTo, type Names } from './store.ts';

export function createInvitations({ db, enqueueMail, baseUrl, invitationGuard: guard }: Options) {
  return {
    /** Mails a link with a new token. No earlier link works any more. */
    async send(
      tx: Transaction,
      { principal }: Granted,
      agreementId: string,
      agreement: Agreement,
      names: Names,
    ) {
      const { id, user } = agreement;
      const token = invitationTokens.newToken();
      const url = `${baseUrl}/console/invitations/${id}#${token}`;
      const email = storedEmailKey(user.email) ?? user.email;
      await Promise.all([
        invitationTokens.insertToken(tx, {
          token,
          agreementId,
          email,
          inviterId: principal.userId,
        }),
        enqueueMail(tx, mails.invitation(user.email, { ...names, ...offerOf(agreement), url })),
      ]);
    },

    /**
     * Counts an invitation before `work`, and refunds it when `work` sent none. @throws ServiceError
     * rate_limited
     */
    async counted(
      { partnerId, principal }: Granted,
      email: string,
      request: IdempotentRequest,
      work: () => Promise<Answer>,
    ): Promise<Answer> {
      const inviterId = principal.role === 'operator' ? null : principal.userId;
      const invitation = { partnerId, inviterId, email };
      // A repeated request sends nothing, so no limit refuses it.
      if (await isAnswered(db, request, principal.userId)) return work();
      await guard.count(invitation);
      let answer: Answer | undefined;
      try {
        answer = await work();
        return answer;
      } finally {
        if (answer === undefined || answer.headers['idempotent-replayed']) await guard.refund(invitation);
      }
    },
  };
}

/**
 * Ends the invitations to a person who is being deleted. The log of the partner does not tell that they had
 * an account.
 */
export const discardInvitations: ErasePerson = async (tx, { emails }) => {
  for (const { id, partner_id: partnerId } of await deleteInvitationsTo(tx, emails)) {
    await recordAction(tx, {
      actor: systemActor('discard invitations'),
      partnerId,
      action: 'agreement.discard',
      target: formatId('agreement', id),
      changes: { accepted: { before: false, after: null } },
    });
  }
};

function offerOf({
  owner,
  mfa_required: mfaRequired,
  expires_at: endsAt,
  acl_permissions,
  acl_permission_groups,
}: Agreement) {
  const permissions = acl_permissions.map((permission) => ({
    resource: permission.resource,
    methods: methodNames.filter((method) => permission[method]),
  }));
  return { owner, mfaRequired, endsAt, permissions, groups: acl_permission_groups.map(({ name }) => name) };
}
