// A worker that cannot be started: it is told, and a stop does not wait for it.
import { expect, it, onTestFinished } from 'vitest';
import { startWorkerProcesses } from './worker-processes.ts';

it('I5: a worker that cannot be started is told, and a stop does not wait for it', async () => {
  const { execPath } = process;
  onTestFinished(() => {
    process.execPath = execPath;
  });
  process.execPath = '/nowhere/node';
  const ended = Promise.withResolvers<unknown>();
  const started: number[] = [];
  const workers = startWorkerProcesses({
    count: 1,
    environment: {},
    onStart: (pid) => started.push(pid),
    onEnd: ended.resolve,
  });
  expect(await ended.promise).toEqual({ worker: undefined, code: null, signal: null, restartInMs: 1_000 });
  await workers.stop(1_000);
  expect(started).toEqual([]);
});
