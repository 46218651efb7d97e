// The database that `--seed` fills, and keeps for later runs.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from './context.ts';
import { fill, type Size } from './seed.ts';
import { type Stage, startStage } from './stage.ts';

/** Git ignores it. */
const seededDir = join(import.meta.dirname, 'data');
/** Exists when the database is filled, and holds its size. */
const mark = join(seededDir, 'size.json');

/** Undefined when there is no such database. */
export const seededSize = (): Size | undefined =>
  existsSync(mark) ? (JSON.parse(readFileSync(mark, 'utf8')) as Size) : undefined;

export async function seed(context: Context): Promise<Stage> {
  rmSync(seededDir, { recursive: true, force: true });
  mkdirSync(seededDir, { recursive: true });
  const stage = await startStage(context, { dataDir: seededDir });
  await fill(stage, context.size, context.say);
  writeFileSync(mark, JSON.stringify(context.size));
  return stage;
}

export function startSeeded(context: Context): Promise<Stage> {
  if (seededSize() === undefined) throw new Error('There is no filled database: npm run bench -- --seed');
  return startStage(context, { dataDir: seededDir });
}
