// The side of a thread: runs the jobs that the pool sends.
import { parentPort } from 'node:worker_threads';
import { ServiceError } from '../errors.ts';
import type { Message } from './pool.ts';

export function serveJobs(jobs: Readonly<Record<string, (input: never) => unknown>>): void {
  const port = parentPort;
  if (port === null) throw new Error('Not a thread');
  const send = (message: Message) => port.postMessage(message);
  port.on('message', ({ name, input }: { name: string; input: never }) => {
    send({ begun: true });
    try {
      send({ output: jobs[name]?.(input) });
    } catch (error) {
      if (error instanceof ServiceError)
        send({ fault: { code: error.code, detail: error.message, faults: error.faults } });
      else send({ failure: String(error) });
    }
  });
}
