// Everything that a case started stops, whatever happens.
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ask, createContext } from './context.ts';

const receiver = new URL('./processes/receiver.ts', import.meta.url);

function open() {
  const failure = new AbortController();
  const said: string[] = [];
  const fail = (reason: unknown) => failure.abort(reason);
  const context = createContext({
    quick: true,
    size: { partners: 0, deliveries: 0 },
    folder: '/',
    about: new Map<string, string>(),
    say: (line) => said.push(line),
    fail,
    failed: failure.signal,
  });
  return { context, failure, said };
}

test('what was registered last stops first, and a failure stops nothing else', async () => {
  const { context, said } = open();
  const stopped: string[] = [];
  context.defer(() => stopped.push('database'));
  context.defer(async () => {
    throw new Error('no answer');
  });
  context.defer(() => stopped.push('service'));
  await context.end();
  expect(stopped).toEqual(['service', 'database']);
  expect(said).toEqual(['stopping failed: Error: no answer']);
});

test('a scope stops what it started, also when its work fails', async () => {
  const { context } = open();
  const stopped: string[] = [];
  context.defer(() => stopped.push('outer'));
  const running = context.scope(async (inner) => {
    inner.defer(() => stopped.push('inner'));
    throw new Error('not measured');
  });
  await expect(running).rejects.toThrow('not measured');
  expect(stopped).toEqual(['inner']);
  await context.end();
  expect(stopped).toEqual(['inner', 'outer']);
});

test('what is started after the end stops at once', async () => {
  const { context } = open();
  await context.end();
  await new Promise<void>((stopped) => context.defer(stopped));
});

test('a process ends with its context', async () => {
  const { context, failure } = open();
  const child = context.fork(receiver);
  await ask(child);
  await context.end();
  expect(child.signalCode).toBe('SIGTERM');
  expect(failure.signal.aborted).toBe(false);
});

test('a process that dies fails the case, and the others are killed', async () => {
  const { context, failure } = open();
  const [one, other] = [context.fork(receiver), context.fork(receiver)];
  await Promise.all([ask(one), ask(other)]);
  one.kill('SIGKILL');
  await once(failure.signal, 'abort');
  expect(failure.signal.reason).toMatch(/receiver\.ts ended with SIGKILL/);
  await context.end();
  expect(other.signalCode).toBe('SIGKILL');
});

test('a process ends when it loses its parent', async () => {
  const { context } = open();
  const child = context.fork(receiver);
  await ask(child);
  child.disconnect();
  await once(child, 'exit');
  expect(child.exitCode).toBe(0);
  await context.end();
});
