// Look-ups with a resolver that hangs, and answers when the test says so.
import type { LookupAddress } from 'node:dns';
import { afterEach, expect, it, vi } from 'vitest';
import { createLookups } from './lookups.ts';

type Answer = (error: null, addresses: LookupAddress[]) => void;
const asked: { name: string; answer: Answer }[] = [];
const resolver = (name: string, _: object, answer: Answer) => void asked.push({ name, answer });
afterEach(() => {
  asked.length = 0;
  vi.useRealTimers();
});
const names = () => asked.map(({ name }) => name);
const answerAll = () => {
  for (const { answer } of asked.splice(0)) answer(null, [{ address: '192.0.2.1', family: 4 }]);
};

it('W17: names with a hanging resolver do not delay a name that was quick before', () => {
  const lookUp = createLookups(15_000, resolver);
  const got: string[] = [];
  const ask = (name: string) =>
    lookUp(name, {}, (error) => got.push(`${name} ${error ? 'failed' : 'found'}`));
  ask('good.example');
  answerAll();
  for (let n = 0; n < 100; n++) ask(`hanging${n}.example`);
  expect(asked).toHaveLength(4);
  ask('good.example');
  expect(names().at(-1)).toBe('good.example');
  asked.pop()?.answer(null, []);
  expect(got).toEqual(['good.example found', 'good.example found']);
});

it('W17: slow names share few slots, and look-ups of one name at the same time are one look-up', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const lookUp = createLookups(15_000, resolver);
  const found: string[] = [];
  const ask = (name: string) => lookUp(name, {}, (error) => found.push(error ? 'failed' : name));
  for (let n = 0; n < 4; n++) ask(`slow${n}.example`);
  vi.advanceTimersByTime(5_000);
  answerAll();
  for (let n = 0; n < 4; n++) for (let times = 0; times < 50; times++) ask(`slow${n}.example`);
  expect(names()).toEqual(['slow0.example', 'slow1.example']);
  ask('new.example');
  expect(names().at(-1)).toBe('new.example');
  // A look-up that waited for longer than an attempt may take fails, and takes no slot.
  vi.advanceTimersByTime(16_000);
  found.length = 0;
  answerAll();
  expect(names()).toEqual([]);
  expect([
    found.filter((name) => name === 'slow0.example').length,
    found.filter((name) => name === 'failed').length,
  ]).toEqual([50, 100]);
});
