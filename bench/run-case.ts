// Runs one case in this process, which bench/run.ts starts for it: no case finds the heap or the compiled
// code of another.
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './case.ts';
import { findCase, loadCases } from './cases.ts';
import { type Context, createContext } from './context.ts';

export type Order = { name: string } & Pick<Context, 'quick' | 'size'>;
export type Outcome = { rows: Row[]; about: [string, string][] };

/**
 * When stopping takes longer, this process ends without it. Its processes and its database then end by
 * themselves.
 */
const stopLimitMs = 60_000;
/** A disk, where /tmp can be memory: committing would cost nothing there. */
const parent = existsSync('/var/tmp') ? '/var/tmp' : tmpdir();

const order = JSON.parse(process.argv[2] ?? '') as Order;
const say = (line: string) => void process.stderr.write(`${order.name}: ${line}\n`);
const failure = new AbortController();
/** A reason that is no Error is shown without a stack. */
const fail = (reason: unknown) => failure.abort(reason);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => fail(`stopped by ${signal}`));
process.on('disconnect', () => fail('stopped, because bench/run.ts is gone'));
process.on('uncaughtException', fail);

try {
  const outcome = await run(order);
  process.send?.(outcome, () => process.exit());
} catch (reason) {
  say(`failed: ${reason instanceof Error ? reason.stack : reason}`);
  process.exit(1);
}

async function run({ name, quick, size }: Order): Promise<Outcome> {
  const { limitMinutes, measure } = findCase(await loadCases(), name);
  setTimeout(() => fail(`took longer than ${limitMinutes} minutes`), limitMinutes * 60_000);
  const failed = new Promise<never>((_, reject) => {
    failure.signal.addEventListener('abort', () => reject(failure.signal.reason));
  });
  const folder = mkdtempSync(join(parent, 'concord-bench-'));
  // As root, the database server runs under another account, which must pass through this folder.
  chmodSync(folder, 0o711);
  const about = new Map<string, string>();
  const context = createContext({ quick, size, folder, about, say, fail, failed: failure.signal });
  try {
    return { rows: await Promise.race([measure(context), failed]), about: [...about] };
  } finally {
    setTimeout(() => process.exit(1), stopLimitMs);
    await context.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
