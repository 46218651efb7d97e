// A folder that is built from sources of the repository, and built again when they have changed.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashFile, hashSources, isBuiltFrom } from '../server/src/program/bundle.ts';
import { replaceFolder } from './replace-folder.ts';

export const root = join(import.meta.dirname, '..');

type BuiltFolder = {
  folder: string;
  /** Files and folders, from the root of the repository: everything that the build reads. */
  sources: readonly string[];
  /** Gets an empty folder. */
  fill: (next: string) => Promise<void>;
};

export async function buildFolder({ folder, sources, fill }: BuiltFolder): Promise<void> {
  // Before the build: a source that changes during it is built again.
  const hash = hashSources(sources);
  await replaceFolder(folder, async (next) => {
    await fill(next);
    await writeFile(join(next, hashFile), hash);
  });
}

/** Builds unless these very sources were built last. */
export async function buildFolderIfChanged(built: BuiltFolder): Promise<void> {
  if (!isBuiltFrom(built)) await buildFolder(built);
}

type Command = {
  name: string;
  /** A development dependency that builds. */
  needs: string;
  /** What holds without it. */
  without: string;
};

/** What the command does: builds, or with `--if-changed` only when a source has changed since the last build. */
export async function buildOnDemand(
  args: readonly string[],
  built: BuiltFolder,
  { name, needs, without }: Command,
): Promise<void> {
  const isWanted = !args.includes('--if-changed');
  if (existsSync(join(root, 'node_modules', needs)))
    return isWanted ? buildFolder(built) : buildFolderIfChanged(built);
  if (isWanted)
    throw new Error(
      `${needs} is not installed. Run \`npm ci\` without --omit=dev, then \`npm run ${name}\`.`,
    );
  process.stdout.write(`Development dependencies are left out, so nothing was built. ${without}\n`);
}

/** An error is one line, and the exit code 1. */
export async function runCommand(run: (args: readonly string[]) => Promise<void>): Promise<void> {
  try {
    await run(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
