// The mail to who is invited: who invites, to what, and how to accept.
import { composeMail, type EnqueueMail } from '../accounts/index.ts';
import { formatId } from '../ids.ts';
import type { Transaction } from '../postgres/database.ts';
import type { Granted } from './admission.ts';
import type { Agreement } from './agreement.ts';
import { selectInvitation } from './store.ts';

export type InviteByMail = (tx: Transaction, by: Granted<{ partner_id: string }>, agreement: Agreement) => Promise<void>;

export function createInviteByMail({ enqueue, baseUrl }: { enqueue: EnqueueMail; baseUrl: string }): InviteByMail {
  return async (tx, { row, principal }, agreement) => {
    const { partner, inviter } = await selectInvitation(tx, row.partner_id, principal.userId);
    const path = `/partners/${formatId('partner', row.partner_id)}/agreements/${agreement.id}`;
    await enqueue(
      tx,
      composeMail(agreement.user.email, `You are invited to ${oneLine(partner)}`, [
        `${oneLine(inviter)} invites you to work with ${oneLine(partner)} on Concord${agreement.owner ? ', as an owner' : ''}.`,
        `To accept within seven days, sign in at ${baseUrl} with this e-mail address (sign up with it first if you have no account), then send PATCH ${path} with the body {"accepted": true}.`,
        `To decline, send DELETE ${path}, or do nothing.`,
      ]),
    );
  };
}

/** Names are anyone's text: one line, no address in it that a mail program would make a link of, and not endless. */
export function oneLine(text: string): string {
  const line = text
    .replace(/[\s\p{C}]+/gu, ' ')
    .replaceAll('://', ': //')
    .trim();
  return line.length > 80 ? `${line.slice(0, 80)}...` : line;
}
