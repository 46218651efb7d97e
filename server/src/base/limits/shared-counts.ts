// Counts of requests in fixed windows, in the database, for all instances.

import { hash } from 'node:crypto';
import { createKept } from '../keep-last.ts';
import { within } from '../within.ts';
import { createWindowCounts, type WindowState } from './window-counts.ts';

/** `key` is a hash, since a proxy can name an address of any form. */
export type Counted = { readonly key: string; readonly requests: number };
/** After the statement, its requests included. */
export type CountedWindow = { readonly key: string; readonly total: number; readonly seconds_left: number };

type Options = {
  window: { readonly requests: number; readonly windowSeconds: number };
  write: (counted: readonly Counted[]) => Promise<readonly CountedWindow[]>;
  /** Called when writing begins to fail, and not again before it has succeeded. */
  onFailure: (error: unknown) => void;
};

const missing = (key: string): never => {
  throw new Error(`The request window ${key} was not written`);
};

const atOnce = 500;
/** So long a request waits. The server does not end a statement that never reached it. */
const patienceMs = 2_000;
/** A key above the limit is refused without the database for so long. */
const refusedMs = 1_000;
const maxRefused = 10_000;

/**
 * One statement at a time, which arriving requests share. While the database cannot count, this instance
 * does.
 */
export function createSharedCounts({
  window,
  write,
  onFailure,
}: Options): (key: string) => Promise<WindowState> {
  type Waiting = { resolve: (state: WindowState) => void }[];
  const ownCounts = createWindowCounts(window);
  const waiting = new Map<string, Waiting>();
  const refused = createKept<WindowState>(refusedMs, maxRefused);
  let isWriting = false;
  let isFailing = false;
  /** The last statement has not ended. Meanwhile no request waits. */
  let isOverdue = false;

  async function writeInTime(counted: readonly Counted[]): Promise<readonly CountedWindow[]> {
    const giveUp = (): never => {
      isOverdue = true;
      throw new Error(`The database has not counted requests within ${patienceMs} ms`);
    };
    if (isOverdue) giveUp();
    const written = write(counted).finally(() => {
      isOverdue = false;
    });
    return within(patienceMs, written, giveUp);
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.size > 0) {
      const taken = [...waiting].slice(0, atOnce);
      for (const [key] of taken) waiting.delete(key);
      await writeSome(new Map(taken));
    }
    isWriting = false;
  }

  async function writeSome(requests: ReadonlyMap<string, Waiting>): Promise<void> {
    try {
      const windows = await writeInTime([...requests].map(([key, each]) => ({ key, requests: each.length })));
      const windowOf = new Map(windows.map((counted) => [counted.key, counted]));
      for (const [key, each] of requests) {
        const { total, seconds_left } = windowOf.get(key) ?? missing(key);
        for (const [index, { resolve }] of each.entries())
          resolve(stateOf(total - each.length + index + 1, seconds_left));
        if (total > window.requests) refused.set(key, stateOf(total, seconds_left), seconds_left * 1_000);
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFailure(error);
      isFailing = true;
      for (const [key, each] of requests) for (const { resolve } of each) resolve(ownCounts.count(key));
    }
  }

  const stateOf = (count: number, secondsLeft: number): WindowState => ({
    remaining: Math.max(0, window.requests - count),
    // The end is rounded to a millisecond, maybe up.
    secondsLeft: Math.min(Math.ceil(secondsLeft), window.windowSeconds),
    exceeded: count > window.requests,
  });

  return (caller) => {
    const key = hash('sha256', caller, 'base64url');
    const known = refused.get(key);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => {
      const each = waiting.get(key);
      if (each) each.push({ resolve });
      else waiting.set(key, [{ resolve }]);
      // At the end of this turn of the event loop, so that its requests go together.
      if (!isWriting) {
        isWriting = true;
        setImmediate(() => void writeAll());
      }
    });
  };
}
