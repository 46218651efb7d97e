// Mail: the outbox and its sender, with a real SMTP server, and with files.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, it, onTestFinished } from 'vitest';
import { createRecipients } from '../../src/base/mail/recipients.ts';
import { createSender } from '../../src/base/mail/sender.ts';
import { createOutbox } from '../../src/base/mail/store.ts';
import { createTransport } from '../../src/base/mail/transport.ts';
import { createEncryption } from '../../src/base/secrets/encryption.ts';
import { atOnce, times } from '../stage/cast.ts';
import { listen } from '../stage/listen.ts';
import { startMailbox } from '../stage/mailbox.ts';
import { newDatabase, openDatabase } from '../stage/new-database.ts';
import { openService } from '../stage/start-service.ts';

const secrets = [{ version: 1, value: 'x'.repeat(32) }];
const encryption = createEncryption(secrets, 'mail');
const mail = (to: string) => ({ to, subject: 'Søk & finn', text: 'text æøå', html: '<p>html</p>' });

async function startOutbox(smtpUrl: string, { silenceMs = 20_000 } = {}) {
  const database = await newDatabase();
  const db = openDatabase(database.url);
  const outbox = createOutbox({ db, encryption, recipients: createRecipients(secrets) });
  const enqueue = (message: ReturnType<typeof mail>) => db.transaction((tx) => outbox.insert(tx, message));
  const failures: string[] = [];
  const newSender = () =>
    createSender({
      outbox,
      transport: createTransport({ smtpUrl, from: 'Concord <concord@localhost>', outboxDir: '', silenceMs }),
      onFailure: ({ error }) => failures.push(String((error as Error).message)),
      pollMs: 20,
    });
  /** Makes every mail that waits for a retry due. */
  const soon = () => database.sql(`update mail set next_at = now() - interval '1 second' where attempts > 0`);
  return { database, db, outbox, enqueue, failures, newSender, soon };
}

it('mail is sent once, with a text and an HTML part, and is then deleted from the database', async () => {
  const mailbox = await startMailbox();
  onTestFinished(mailbox.close);
  const { database, enqueue, newSender } = await startOutbox(mailbox.url);
  const senders = [newSender(), newSender(), newSender()];
  for (const sender of senders) sender.start();
  await atOnce(40, (i) => enqueue(mail(`to${i}@mail.example`)));
  for (const sender of senders) sender.wake();
  const arrived = await atOnce(40, (i) => mailbox.next(`to${i}@mail.example`));
  expect(arrived[0]).toMatchObject({
    subject: 'Søk & finn',
    from: { name: 'Concord', address: 'concord@localhost' },
  });
  expect([arrived[0]?.text?.trim(), arrived[0]?.html?.trim()]).toEqual(['text æøå', '<p>html</p>']);
  await expect.poll(async () => (await database.sql('select from mail')).length).toBe(0);
  for (const sender of senders) await sender.stop();
  expect([mailbox.attempts(), mailbox.received]).toEqual([40, []]);
});

it('mails share connections, and do not fail when the server has ended those', async () => {
  const mailbox = await startMailbox();
  onTestFinished(mailbox.close);
  const { enqueue, failures, newSender } = await startOutbox(mailbox.url);
  await atOnce(40, (i) => enqueue(mail(`to${i}@mail.example`)));
  const sender = newSender();
  sender.start();
  await atOnce(40, (i) => mailbox.next(`to${i}@mail.example`));
  expect(mailbox.sockets.length).toBeLessThanOrEqual(10);
  for (const socket of mailbox.sockets) socket.destroy();
  await enqueue(mail('later@mail.example'));
  sender.wake();
  await mailbox.next('later@mail.example');
  await sender.stop();
  expect(failures).toEqual([]);
});

it('mails do not wait for a server that does not answer QUIT', async () => {
  const mailbox = await startMailbox();
  onTestFinished(mailbox.close);
  let quits = 0;
  const port = await listen(
    createServer((client) => {
      const upstream = connect(Number(new URL(mailbox.url).port), '127.0.0.1');
      upstream.on('error', () => {}).pipe(client.on('error', () => {}));
      client.on('data', (sent) => (String(sent).startsWith('QUIT') ? quits++ : upstream.write(sent)));
      client.on('close', () => upstream.destroy());
    }),
  );
  const { enqueue, newSender } = await startOutbox(`smtp://127.0.0.1:${port}`, { silenceMs: 600_000 });
  await atOnce(10, (i) => enqueue(mail(`to${i}@mail.example`)));
  const sender = newSender();
  sender.start();
  await expect.poll(() => quits).toBe(10);
  const startedAt = performance.now();
  await enqueue(mail('later@mail.example'));
  sender.wake();
  await mailbox.next('later@mail.example');
  // The client gives up a minute after QUIT.
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  await sender.stop();
});

it('mails do not fail when the server takes one for each connection', async () => {
  const mailbox = await startMailbox();
  onTestFinished(mailbox.close);
  mailbox.set('one for each connection');
  const { enqueue, failures, newSender } = await startOutbox(mailbox.url);
  const several = times(4, (i) => `to${i}@mail.example`);
  for (const to of several) await enqueue(mail(to));
  const sender = newSender();
  sender.start();
  for (const to of several) await mailbox.next(to);
  // It can find each of their connections.
  await enqueue(mail('later@mail.example'));
  sender.wake();
  await mailbox.next('later@mail.example');
  await sender.stop();
  expect(failures).toEqual([]);
});

it('O55: a stop waits for the mails under way, and not for all that are due', async () => {
  const mailbox = await startMailbox();
  onTestFinished(mailbox.close);
  const { database, db, outbox, newSender } = await startOutbox(mailbox.url);
  await db.transaction(async (tx) => {
    for (let i = 0; i < 100; i++) await outbox.insert(tx, mail(`to${i}@mail.example`));
  });
  const sender = newSender();
  sender.start();
  await expect.poll(() => mailbox.attempts(), { interval: 1 }).toBeGreaterThan(0);
  await sender.stop();
  expect(await database.sql('select from mail where attempts = 1')).toEqual([]);
  expect((await database.sql('select from mail')).length).toBeGreaterThan(50);
});

it('mail is sent only if its transaction commits, and it cannot be read in the database', async () => {
  const { database, db, outbox } = await startOutbox('smtp://127.0.0.1:1');
  const rolledBack = db.transaction(async (tx) => {
    await outbox.insert(tx, mail('no@mail.example'));
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  await db.transaction((tx) => outbox.insert(tx, mail('yes@mail.example')));
  const rows = await database.sql('select m::text as row, sealed from mail m');
  expect(rows).toHaveLength(1);
  for (const hidden of ['yes@mail.example', 'text', 'html'])
    expect(`${rows[0].row}${rows[0].sealed.toString('latin1')}`).not.toContain(hidden);
});

it('mail is kept while the server refuses or stalls, and arrives when the server recovers', async () => {
  const mailbox = await startMailbox();
  onTestFinished(mailbox.close);
  const { database, enqueue, failures, newSender, soon } = await startOutbox(mailbox.url, { silenceMs: 500 });
  mailbox.set('refusing');
  await enqueue(mail('patient@mail.example'));
  const first = newSender();
  first.start();
  const kept = () =>
    database.sql(
      `select attempts, next_at between now() and now() + interval '1 hour' as waits, last_error from mail`,
    );
  await expect
    .poll(kept)
    .toEqual([{ attempts: 1, waits: true, last_error: expect.stringContaining('Try again later') }]);
  expect(failures).toEqual([expect.stringContaining('Try again later')]);
  mailbox.set('stalling');
  await database.sql('update mail set attempts = 20');
  await soon();
  await expect
    .poll(kept)
    .toEqual([{ attempts: 21, waits: true, last_error: expect.not.stringContaining('Try again later') }]);
  expect(failures).toHaveLength(2);
  mailbox.set('up');
  await soon();
  expect((await mailbox.next('patient@mail.example')).subject).toBe('Søk & finn');
  await first.stop();
});

it('O82: a permanent refusal of the recipient drops the mail, and neither the log nor the table has the address', async () => {
  const mailbox = await startMailbox();
  onTestFinished(mailbox.close);
  const { database, enqueue, failures, newSender } = await startOutbox(mailbox.url);
  mailbox.refusals.set('gone@one.example', {
    code: 550,
    text: '5.1.1 <gone@one.example>: user gone is unknown',
  });
  mailbox.refusals.set('full@two.example', { code: 452, text: '4.2.2 <full@two.example>: mailbox full' });
  mailbox.refusals.set('relay@three.example', { code: 530, text: 'Authentication required' });
  // A policy of the server is about our settings, so the mail waits until they are right.
  mailbox.refusals.set('denied@four.example', {
    code: 550,
    text: '5.7.1 <denied@four.example>: relaying denied',
  });
  const long = `${'hidden'.repeat(10)}@five.example`;
  mailbox.refusals.set(long, { code: 451, text: `4.3.0 ${`<${long}> `.repeat(10)}` });
  for (const to of [
    'gone@one.example',
    'full@two.example',
    'relay@three.example',
    'denied@four.example',
    long,
  ])
    await enqueue(mail(to));
  const sender = newSender();
  sender.start();
  const kept = () =>
    database.sql(
      'select refusing_domain is not null as refused, last_error from mail order by substring(last_error from $$[0-9]{3}$$)',
    );
  await expect.poll(() => failures.length).toBe(5);
  await expect.poll(kept).toEqual([
    { refused: true, last_error: expect.stringContaining('451 4.3.0 <(address)>') },
    { refused: true, last_error: expect.stringContaining('452 4.2.2 <(address)>: mailbox full') },
    { refused: false, last_error: expect.stringContaining('530 Authentication required') },
    { refused: false, last_error: expect.stringContaining('550 5.7.1 <(address)>: relaying denied') },
  ]);
  // After three days they are given up.
  await database.sql(`update mail set created_at = now() - interval '73 hours', next_at = now()`);
  await expect.poll(kept).toEqual([]);
  await sender.stop();
  expect(failures).toContain('The mail server refused the mail: 550 5.1.1 (RCPT TO)');
  expect(failures.join()).not.toMatch(/gone|full@|denied@|hidden/);
});

it('mail that cannot be decrypted does not delay other mail', async () => {
  const mailbox = await startMailbox();
  onTestFinished(mailbox.close);
  const { database, enqueue, failures, newSender } = await startOutbox(mailbox.url);
  await database.sql(`insert into mail (id, sealed) values (gen_random_uuid(), '\\x00000001')`);
  await enqueue(mail('behind@mail.example'));
  const sender = newSender();
  sender.start();
  await mailbox.next('behind@mail.example');
  await sender.stop();
  expect([failures.length, (await database.sql('select from mail')).length]).toEqual([1, 1]);
});

it('mail that a sender leased before it died is sent by another sender when the lease ends', async () => {
  const mailbox = await startMailbox();
  onTestFinished(mailbox.close);
  const { outbox, enqueue, newSender, soon } = await startOutbox(mailbox.url);
  await enqueue(mail('left@mail.example'));
  expect(await outbox.lease(10)).toHaveLength(1); // this sender dies here
  expect(await outbox.lease(10)).toEqual([]);
  await soon();
  const sender = newSender();
  sender.start();
  await mailbox.next('left@mail.example');
  await sender.stop();
});

it('B25: mail becomes a file that only its owner can read if no server is configured, with its link in one line', async () => {
  const service = await openService();
  await service.post(
    '/api/auth/sign-up/email',
    { name: 'F', email: 'file@mail.example', password: 'a long password' },
    null,
  );
  const dir = join(service.dataDir, 'outbox');
  const files = () => {
    try {
      return readdirSync(dir).filter((name) => name.endsWith('.eml'));
    } catch {
      return [];
    }
  };
  await expect.poll(() => files().length).toBe(1);
  const file = join(dir, files()[0] ?? '');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { subject, text } = await PostalMime.parse(readFileSync(file));
  expect(subject).toBe('Verify your e-mail address');
  // An editor shows the link as the browser needs it.
  const [link = 'none'] = /http:\S+#\S+/.exec(text ?? '') ?? [];
  expect(readFileSync(file, 'utf8').split(/\r?\n/)).toContain(link);
});
