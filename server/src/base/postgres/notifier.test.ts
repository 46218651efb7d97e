// Notifications: sent together, each once, and never held up by a statement that failed.
import { expect, it } from 'vitest';
import { createNotifier } from './notifier.ts';

/** A database whose statements end when the test says so. */
function startDatabase() {
  const statements: { sent: string[]; end: () => void; fail: () => void }[] = [];
  const notifier = createNotifier(({ values }) => {
    const [channels, payloads] = values as [string[], string[]];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sent = channels.map((channel, index) => `${channel} ${payloads[index]}`);
    statements.push({ sent, end: resolve, fail: () => reject(new Error('connection lost')) });
    return promise;
  });
  return { notifier, statements, sent: () => statements.map((statement) => statement.sent) };
}
/** Lets everything run that waits for nothing else. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('W19: a notification is sent at once, and equal ones that wait for it are sent once', async () => {
  const { notifier, statements, sent } = startDatabase();
  notifier.notify('lanes', '');
  expect(sent()).toEqual([['lanes ']]);
  for (const [channel, payload] of [
    ['lanes', ''],
    ['lanes', 'recovery'],
    ['lanes', ''],
    ['mail', ''],
    ['lanes', 'recovery'],
  ] as const)
    notifier.notify(channel, payload);
  expect(statements).toHaveLength(1);
  statements[0]?.end();
  await settled();
  expect(sent()).toEqual([['lanes '], ['lanes ', 'lanes recovery', 'mail ']]);
});

it('W19: a notification that begins while an equal one is being sent is sent too', async () => {
  const { notifier, statements, sent } = startDatabase();
  notifier.notify('lanes', '');
  notifier.notify('lanes', '');
  statements[0]?.end();
  await settled();
  expect(sent()).toEqual([['lanes '], ['lanes ']]);
});

it('W19: a statement that fails is dropped, and stops neither those that wait nor later ones', async () => {
  const { notifier, statements, sent } = startDatabase();
  notifier.notify('lost', '');
  notifier.notify('waiting', '');
  statements[0]?.fail();
  await settled();
  statements[1]?.fail();
  await settled();
  notifier.notify('later', '');
  expect(sent()).toEqual([['lost '], ['waiting '], ['later ']]);
});

it('W19: settle waits for what is being sent and for what waits', async () => {
  const { notifier, statements } = startDatabase();
  await notifier.settle();
  notifier.notify('first', '');
  notifier.notify('second', '');
  let done = false;
  const settling = notifier.settle().then(() => {
    done = true;
  });
  statements[0]?.end();
  await settled();
  expect([statements.length, done]).toEqual([2, false]);
  statements[1]?.fail();
  await settling;
});

it('W19: the first failure after a success is reported, the next ones are not', async () => {
  const outcomes = ['fails', 'fails', 'succeeds', 'fails'];
  const reported: string[] = [];
  const notifier = createNotifier(
    async () => {
      if (outcomes.shift() === 'fails') throw new Error(`${outcomes.length} left`);
    },
    ({ message }) => reported.push(message),
  );
  for (let n = 0; n < 4; n++) {
    notifier.notify('lanes', '');
    await notifier.settle();
  }
  expect(reported).toEqual(['3 left', '0 left']);
});
