// Generated changes to a valid webhook: each is refused with a code, or does not change what the sender signed.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { verifyWebhook, WebhookError } from '../src/index.ts';
import { jwksOf, makeKey, makeWebhook, partnerId, readKeys, start } from './sender.ts';

const key = await makeKey('one');
const keys = await readKeys(jwksOf(key));
const sent = await makeWebhook(key);
const bytes = (text: string) => new TextEncoder().encode(text);

/** Removes characters at a relative position and inserts others. */
const edits = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.nat({ max: 3 }),
  insert: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom(' ', ';', ', ', '"', ':', '=', '(', '\n', '\u00a0'),
  ),
});
type Edit = { at: number; remove: number; insert: string };
const apply = (text: string, { at, remove, insert }: Edit) => {
  const index = Math.floor(at * text.length);
  return text.slice(0, index) + insert + text.slice(index + remove);
};

it('changes are refused or change nothing', async () => {
  let accepted = 0;
  const change = fc.record({ where: fc.nat({ max: sent.headers.length + 2 }), edit: edits });
  await fc.assert(
    fc.asyncProperty(change, async ({ where, edit }) => {
      const changed = {
        method: where === sent.headers.length ? apply(sent.method, edit) : sent.method,
        url: where === sent.headers.length + 1 ? apply(sent.url, edit) : sent.url,
        body:
          where === sent.headers.length + 2
            ? bytes(apply(new TextDecoder().decode(sent.body), edit))
            : sent.body,
        headers: sent.headers.map(
          ([name, value], index) => [name, index === where ? apply(value, edit) : value] as const,
        ),
      };
      const result = await verifyWebhook(changed, { keys, partnerId, now: () => start * 1_000 }).catch(
        (error: unknown) => error,
      );
      if (result instanceof WebhookError) return;
      accepted += 1;
      expect(result).toMatchObject({
        id: 'evt_1',
        url: sent.url,
        kid: 'one',
        created: start,
        body: sent.body,
      });
    }),
    {
      numRuns: process.env.TEST_LENGTH === 'long' ? 4_000 : 800,
      interruptAfterTimeLimit: 60_000,
      markInterruptAsFailure: true,
    },
  );
  // Some edits change nothing: an empty insertion, or optional whitespace.
  expect(accepted).toBeGreaterThan(0);
});
