// Runs one case in this process, which bench/run.ts starts for it: no case finds the heap or the compiled code of another.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCase } from './cases.ts';
import { createContext } from './context.ts';
import { measureRounds, type Row } from './rounds.ts';

/** What bench/run.ts passes, as JSON. */
export type Order = { name: string; rounds: number | null; quick: boolean };

/** When stopping takes longer, this process ends without it. Its processes and its database then end by themselves. */
const stopLimitMs = 60_000;

const order = JSON.parse(process.argv[2] ?? '') as Order;
const say = (line: string) => void process.stderr.write(`${order.name}: ${line}\n`);
const failure = new AbortController();
/** A reason that is no Error is shown without a stack. */
const fail = (reason: unknown) => failure.abort(reason);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => fail(`stopped by ${signal}`));
process.on('disconnect', () => fail('stopped, because bench/run.ts is gone'));
process.on('uncaughtException', fail);

try {
  const rows = await run(order);
  process.send?.(rows, () => process.exit());
} catch (reason) {
  say(`failed: ${reason instanceof Error ? reason.stack : reason}`);
  process.exit(1);
}

async function run({ name, rounds, quick }: Order): Promise<Row[]> {
  const definition = await findCase(name);
  const { limitMinutes } = definition;
  setTimeout(() => fail(`took longer than ${limitMinutes} minutes`), limitMinutes * 60_000);
  const failed = new Promise<never>((_, reject) => {
    failure.signal.addEventListener('abort', () => reject(failure.signal.reason));
  });
  const folder = mkdtempSync(join(tmpdir(), 'concord-bench-'));
  // As root, the database server runs under another account, which must pass through this folder.
  chmodSync(folder, 0o711);
  const context = createContext({ quick, folder, say, fail, failed: failure.signal });
  async function measure(): Promise<Row[]> {
    say('setting up');
    const variants = await definition.setUp(context);
    return measureRounds({ definition, variants, rounds: rounds ?? (quick ? 1 : definition.rounds), context });
  }
  try {
    return await Promise.race([measure(), failed]);
  } finally {
    setTimeout(() => process.exit(1), stopLimitMs);
    await context.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
