// Tells of a disabled endpoint: an audit row, and a mail to each owner of the partner.
import { selectOwnerEmails } from '../../agreements/index.ts';
import { recordAction, systemActor } from '../../audit/index.ts';
import { formatId } from '../../base/ids.ts';
import { type EnqueueMail, mails } from '../../base/mail/index.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import type { DisabledEndpoint } from '../endpoints/store.ts';

export type NotifyDisabled = (tx: Transaction, endpoint: DisabledEndpoint) => Promise<void>;

const actor = systemActor('deliver webhooks');

export function createNotifyDisabled({
  enqueueMail,
  baseUrl,
}: {
  enqueueMail: EnqueueMail;
  baseUrl: string;
}): NotifyDisabled {
  return async (tx, { id, partner_id: partnerId, partner_name: partner, url, disabled_reason: reason }) => {
    const target = formatId('webhook_endpoint', id);
    const { host } = new URL(url);
    await recordAction(tx, {
      actor,
      partnerId,
      action: 'webhook_endpoint.disable',
      target,
      targetName: host,
      details: { reason },
      changes: { status: { before: 'active', after: 'disabled' } },
    });
    const partnerPart = formatId('partner', partnerId);
    const path = `${baseUrl}/partners/${partnerPart}/webhook-endpoints/${target}`;
    const page = `${baseUrl}/console/p/${partnerPart}/webhooks/endpoints/${target}`;
    for (const to of await selectOwnerEmails(tx, partnerId)) {
      await enqueueMail(tx, mails.endpointDisabled(to, { partner, host, reason, page, url: path }));
    }
  };
}
