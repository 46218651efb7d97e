// Which deliveries are sent in which batch.
import { expect, it } from 'vitest';
import { type Candidate, choose } from './choose.ts';

const waiting = (id: string, rest: Partial<Candidate> = {}): Candidate => ({
  id,
  batch_id: null,
  attempt_count: 0,
  due_in_ms: 500,
  body: '{}',
  ...rest,
});
const due = (id: string, rest: Partial<Candidate> = {}) => waiting(id, { due_in_ms: -1, ...rest });
/** The ids of each batch. */
function chosen(
  candidates: readonly Candidate[],
  { ordering = 'none' as 'none' | 'strict', maxEvents = 3, share = 8 } = {},
) {
  const { resent, formed, waitMs } = choose(candidates, { ordering, maxEvents, share });
  return { resent, formed: formed.map((batch) => batch.map(({ id }) => id).join('')), waitMs };
}
const never = Number.POSITIVE_INFINITY;

it('W70: what waits is sent when it is full, or when the first of it is due', () => {
  expect(chosen([waiting('a'), waiting('b')])).toEqual({ resent: [], formed: [], waitMs: 500 });
  expect(chosen([due('a'), waiting('b')])).toEqual({ resent: [], formed: ['ab'], waitMs: never });
  expect(chosen(['a', 'b', 'c', 'd'].map((id) => waiting(id)))).toEqual({
    resent: [],
    formed: ['abc'],
    waitMs: 500,
  });
  expect(chosen(['a', 'b', 'c', 'd'].map((id) => due(id)))).toEqual({
    resent: [],
    formed: ['abc', 'd'],
    waitMs: never,
  });
  expect(chosen([])).toEqual({ resent: [], formed: [], waitMs: never });
});

it('W70: the first batch of a strict endpoint decides, and there is one at a time', () => {
  const strict = { ordering: 'strict' as const };
  const late = { batch_id: 'x', attempt_count: 1 };
  expect(chosen([waiting('a', late), due('b')], strict)).toMatchObject({
    resent: [],
    formed: [],
    waitMs: 500,
  });
  expect(chosen([due('a', late), due('b')], strict)).toMatchObject({ resent: ['x'], formed: [] });
  expect(chosen([due('a'), due('b'), due('c'), due('d')], strict)).toMatchObject({ formed: ['abc'] });
  // Nothing that comes later can go before what waits in another batch.
  expect(chosen([waiting('a'), waiting('b', late)], strict)).toMatchObject({ resent: [], formed: ['a'] });
});

it('W70: a delivery that was attempted before is a batch of one', () => {
  const replayed = due('b', { attempt_count: 2 });
  expect(chosen([due('a'), replayed, due('c')]).formed).toEqual(['b', 'ac']);
  expect(chosen([due('a'), replayed, due('c')], { ordering: 'strict' }).formed).toEqual(['a']);
  expect(chosen([replayed, due('c')], { ordering: 'strict' }).formed).toEqual(['b']);
});

it('W70: a batch that was formed and never sent is due', () => {
  const formed = waiting('a', { batch_id: 'x' });
  for (const ordering of ['none', 'strict'] as const)
    expect(chosen([formed, { ...formed, id: 'b' }], { ordering }).resent).toEqual(['x']);
});

it('W70: a batch has at most 1 MiB with its brackets and commas, or one event', () => {
  const half = 'x'.repeat(524_286);
  expect(chosen([due('a', { body: half }), due('b', { body: `${half}x` })]).formed).toEqual(['ab']);
  expect(chosen([due('a', { body: half }), due('b', { body: `${half}xx` })]).formed).toEqual(['a', 'b']);
  const large = 'x'.repeat(2_000_000);
  expect(chosen([due('a', { body: large }), due('b')]).formed).toEqual(['a', 'b']);
  expect(chosen([due('a', { body: large }), due('b', { attempt_count: 1, body: null })]).formed).toEqual([
    'a',
  ]);
  // Other events wait beyond what was read, so this one is complete.
  expect(chosen([waiting('a', { body: large }), waiting('b', { body: null })])).toEqual({
    resent: [],
    formed: ['a'],
    waitMs: never,
  });
});

it('W70: no more requests are chosen than may be sent', () => {
  const all = [due('a', { batch_id: 'x', attempt_count: 1 }), due('b'), due('c')];
  expect(chosen(all, { share: 1, maxEvents: 1 })).toMatchObject({ resent: ['x'], formed: [] });
  expect(chosen(all, { share: 2, maxEvents: 1 })).toMatchObject({ resent: ['x'], formed: ['b'] });
});
