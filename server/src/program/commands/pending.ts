// `pending send` and `pending fail`: what becomes of deliveries and mails of a restored backup.
import { commandActor } from '../../audit/index.ts';
import { chooseRestored, readRestored, releaseSome } from '../../webhooks/index.ts';
import { formatCount, reportEvery } from './progress.ts';
import { type Command, withDatabase } from './with-database.ts';

/** `action`: send or fail. */
type Options = Command & { action: string };

export const pendingCommand = ({ action, config, announce, report }: Options): Promise<void> =>
  withDatabase({ config, announce: report }, async (db) => {
    const choice = action === 'send' ? 'send' : 'fail';
    const restored = await readRestored(db);
    if (restored.state === 'none')
      return announce('Nothing is held: no deliveries or mails wait after a restore.');
    await db.transaction((tx) => chooseRestored(tx, commandActor(`pending ${choice}`), choice));
    const tell = reportEvery(report);
    let steps = 0;
    while (await db.transaction(releaseSome)) tell(`${++steps} batches are done…`);
    const many = (count: number, most: number, what: string) =>
      `${formatCount(count)}${count === most ? ' or more' : ''} ${what}`;
    const [deliveries, mails] = [
      many(restored.deliveries, 100_000, 'deliveries'),
      many(restored.mails, 10_000, 'mails'),
    ];
    announce(
      choice === 'send'
        ? `${deliveries} and ${mails} are due now. A running Concord sends them.`
        : `${deliveries} have failed, with the reason "restored". ${mails} were dropped.`,
    );
  });
