// Tells the owners of partners whose live endpoints name a deprecated event type (behaviour W74).
import { selectOwnerEmails } from '../../agreements/index.ts';
import { formatId } from '../../base/ids.ts';
import { type EnqueueMail, mails } from '../../base/mail/index.ts';
import type { ScheduledTask } from '../../base/postgres/scheduled-tasks.ts';
import * as store from './store.ts';

type Options = { enqueueMail: EnqueueMail; baseUrl: string };

/** Per run, which is one transaction. */
const partnersAtOnce = 100;

/** The mails and how far they have come commit together, so no partner is told twice. */
export const tellOfDeprecations = ({ enqueueMail, baseUrl }: Options): ScheduledTask => ({
  name: 'tell of deprecated event types',
  intervalMs: 1_000,
  hasWork: store.hasNotices,
  async run(tx) {
    const notice = await store.lockNotice(tx);
    if (!notice) return;
    const { type, successor, deprecated_at: at } = notice;
    if (at === null) return store.continueNotice(tx, type, null);
    const partners = await store.selectNamingPartners(tx, notice, partnersAtOnce);
    for (const { id, name, sees_successor } of partners) {
      const page = `${baseUrl}/console/p/${formatId('partner', id)}/webhooks/event-types/${type}`;
      const words = { partner: name, type, at, successor: sees_successor ? successor : null, page };
      for (const to of await selectOwnerEmails(tx, id))
        await enqueueMail(tx, mails.eventTypeDeprecated(to, words));
    }
    const last = partners.length < partnersAtOnce ? undefined : partners.at(-1);
    await store.continueNotice(tx, type, last?.id ?? null);
  },
});
