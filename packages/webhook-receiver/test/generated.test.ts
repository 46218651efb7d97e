// Generated changes of a good webhook: whatever is changed, it is refused with a code or is still what the sender signed.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Keys, verifyWebhook, WebhookError } from '../src/index.ts';
import { parseJwks } from '../src/jwks.ts';
import { jwksOf, makeKey, makeWebhook, start } from './sender.ts';

const key = await makeKey('one');
const verifiers = await parseJwks(jwksOf(key));
const keys: Keys = { findKey: async (kid) => verifiers.get(kid) };
const sent = await makeWebhook(key);
const bytes = (text: string) => new TextEncoder().encode(text);

/** A text with something inserted, taken away or put in the place of something. */
const edit = fc.record({
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

it('W23: a changed webhook is refused with a code, or is still what was signed', async () => {
  let accepted = 0;
  const change = fc.record({ where: fc.nat({ max: sent.headers.length + 2 }), edit });
  await fc.assert(
    fc.asyncProperty(change, async ({ where, edit: of }) => {
      const changed = {
        method: where === sent.headers.length ? apply(sent.method, of) : sent.method,
        url: where === sent.headers.length + 1 ? apply(sent.url, of) : sent.url,
        body: where === sent.headers.length + 2 ? bytes(apply(new TextDecoder().decode(sent.body), of)) : sent.body,
        headers: sent.headers.map(([name, value], index) => [name, index === where ? apply(value, of) : value] as const),
      };
      const result = await verifyWebhook(changed, { keys, now: () => start * 1_000 }).catch((error: unknown) => error);
      if (result instanceof WebhookError) return;
      accepted += 1;
      expect(result).toMatchObject({ id: 'evt_1', url: sent.url, kid: 'one', created: start, body: sent.body });
    }),
    { numRuns: process.env.TEST_LENGTH === 'long' ? 4_000 : 800, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true },
  );
  // Some changes change nothing: an insertion of nothing, whitespace where it is optional.
  expect(accepted).toBeGreaterThan(0);
});
