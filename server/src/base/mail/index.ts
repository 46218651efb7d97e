// The entry point of mail: features enqueue in their transaction, and a sender delivers under a lease.
import { Type } from 'typebox';
import type { Secret } from '../config-values.ts';
import type { Feature } from '../feature.ts';
import { closed, Timestamp } from '../http/schemas.ts';
import type { Database } from '../postgres/database.ts';
import { createEncryption } from '../secrets/index.ts';
import type { EnqueueMail } from './mail.ts';
import { createRecipients } from './recipients.ts';
import { createSender, type SenderOptions } from './sender.ts';
import { createOutbox } from './store.ts';
import { createTransport, type TransportOptions } from './transport.ts';

export * as mails from './english.ts';
export type { EnqueueMail } from './mail.ts';
export {
  countRestoredMails,
  dropRestoredMails,
  type MailQueue,
  selectQueue,
  sendRestoredMails,
} from './store.ts';
export { probeServer } from './transport.ts';
export { warningTask } from './warnings.ts';

const WaitingMail = Type.Object(
  {
    subject: Type.String(),
    created_at: Timestamp(),
    attempts: Type.Integer({ description: 'How often Concord tried to send it' }),
  },
  closed,
);

type Options = TransportOptions & {
  db: Database;
  secrets: readonly Secret[];
  onFailure: SenderOptions['onFailure'];
};

export function createMail({
  db,
  secrets,
  onFailure,
  ...options
}: Options): Feature & { enqueue: EnqueueMail } {
  const outbox = createOutbox({
    db,
    encryption: createEncryption(secrets, 'mail'),
    recipients: createRecipients(secrets),
  });
  const sender = createSender({ outbox, transport: createTransport(options), onFailure });
  return {
    async enqueue(tx, mail) {
      await outbox.insert(tx, mail);
      tx.afterCommit(sender.wake);
    },
    clockSetBack: outbox.clockSetBack,
    personalData: [
      {
        name: 'waiting_mails',
        schema: WaitingMail,
        async *read({ email }) {
          if (email === null) return;
          yield (await outbox.selectTo(db, email)).map((row) => ({
            ...row,
            created_at: row.created_at.toISOString(),
          }));
        },
      },
    ],
    erasePerson: (tx, { emails }) => outbox.removeTo(tx, emails),
    start: async () => sender.start(),
    stop: sender.stop,
  };
}
