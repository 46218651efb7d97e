// The heartbeat of this process: a row that it writes every few seconds (behaviour I4).
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '../../base/postgres/database.ts';
import { version } from '../../base/version.ts';
import { deleteInstance, writeSign } from './store.ts';
import type { Traffic } from './traffic.ts';

const everyMs = 5_000;

type Options = {
  db: Database;
  role: string;
  lanes: () => number;
  traffic: Traffic;
  onFailure: (error: unknown) => void;
};

export function createHeartbeat({ db, role, lanes, traffic, onFailure }: Options) {
  const instance = { id: randomUUID(), hostName: hostname(), role, version };
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  /** A database that hangs must not collect them. */
  function write(): void {
    if (writing) return;
    const counted = traffic.take();
    writing = writeSign(db, instance, lanes(), counted)
      .catch((error: unknown) => {
        traffic.giveBack(counted);
        onFailure(error);
      })
      .finally(() => {
        writing = undefined;
      });
  }

  return {
    async start(): Promise<void> {
      write();
      await writing;
      timer = setInterval(write, everyMs).unref();
    },
    async stop(): Promise<void> {
      if (timer === undefined) return;
      clearInterval(timer);
      await writing;
      write();
      await writing;
      await deleteInstance(db, instance.id).catch(onFailure);
    },
  };
}
