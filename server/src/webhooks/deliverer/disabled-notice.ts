// What is left behind when an endpoint is disabled: a row in the partner's log, and a mail to each of its owners.
import { composeMail, type EnqueueMail } from '../../accounts/index.ts';
import { oneLine, ownersOf } from '../../agreements/index.ts';
import { type Actor, recordAction } from '../../audit/index.ts';
import { formatId } from '../../ids.ts';
import type { Transaction } from '../../postgres/database.ts';
import type { Disabled } from './queue-store.ts';

export type NoticeDisabled = (tx: Transaction, endpoint: Disabled) => Promise<void>;

const actor: Actor = { userId: 'system', credential: { kind: 'task', id: 'deliver webhooks' }, requestId: '' };

export function createNoticeDisabled({ enqueue, baseUrl }: { enqueue: EnqueueMail; baseUrl: string }): NoticeDisabled {
  return async (tx, endpoint) => {
    const target = formatId('webhook_endpoint', endpoint.id);
    const details = { reason: endpoint.disabled_reason };
    await recordAction(tx, { actor, partnerId: endpoint.partner_id, action: 'webhook_endpoint.disable', target, details });
    const path = `${baseUrl}/partners/${formatId('partner', endpoint.partner_id)}/webhook-endpoints/${target}`;
    for (const email of await ownersOf(tx, endpoint.partner_id)) {
      await enqueue(
        tx,
        composeMail(email, `A webhook endpoint of ${oneLine(endpoint.partner_name)} is disabled`, [
          `Concord sends no more webhooks to ${new URL(endpoint.url).host}. ${endpoint.disabled_reason}`,
          'What is published meanwhile waits for 30 days.',
          `To go on, put the receiver right and send POST ${path}/resume.`,
        ]),
      );
    }
  };
}
