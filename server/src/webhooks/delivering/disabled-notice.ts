// Tells of a disabled endpoint: an audit row, and a mail to each owner of the partner. Whoever may resume endpoints
// can cause many, so each owner gets few of these mails. They are counted by partner: people of one could otherwise
// use up those of another.
import { selectOwners } from '../../agreements/index.ts';
import { recordAction, systemActor } from '../../audit/index.ts';
import { formatId } from '../../base/ids.ts';
import { type EnqueueMail, mails } from '../../base/mail/index.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { tellEach } from '../../people/index.ts';
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
    const words = { partner, host, reason, page, url: path };
    const owners = await selectOwners(tx, partnerId);
    await tellEach(tx, owners, `endpoint_disabled ${partnerId}`, (email, isLast) =>
      enqueueMail(tx, mails.endpointDisabled(email, { ...words, isLast })),
    );
  };
}
