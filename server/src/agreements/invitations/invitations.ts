// Invitations: their mails, and their rate limits.
import type { Granted } from '../../access/index.ts';
import type { InvitationGuard } from '../../accounts/index.ts';
import type { Answer } from '../../idempotency/index.ts';
import { formatId } from '../../ids.ts';
import { type EnqueueMail, mails } from '../../mail/index.ts';
import type { Transaction } from '../../postgres/database.ts';
import type { Agreement } from '../agreement.ts';
import { selectNames } from './store.ts';

type Options = { enqueueMail: EnqueueMail; baseUrl: string; guard: InvitationGuard };
export type Invitations = ReturnType<typeof createInvitations>;

export function createInvitations({ enqueueMail, baseUrl, guard }: Options) {
  return {
    async send(tx: Transaction, { partnerId, principal }: Granted, { id, owner, user }: Agreement): Promise<void> {
      const names = await selectNames(tx, partnerId, principal.userId);
      const path = `/partners/${formatId('partner', partnerId)}/agreements/${id}`;
      await enqueueMail(tx, mails.invitation(user.email, { ...names, owner, baseUrl, path }));
    },

    /** Counts an invitation before `work`, and refunds it when `work` sent none. @throws ServiceError rate_limited */
    async counted({ partnerId, principal }: Granted, email: string, work: () => Promise<Answer>): Promise<Answer> {
      const inviterId = principal.role === 'operator' ? null : principal.userId;
      const invitation = { partnerId, inviterId, email };
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
