// Finds the cases: each file in bench/cases/ exports one.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Case } from './case.ts';

const folder = join(import.meta.dirname, 'cases');

/** All cases in the order of their names. */
export async function loadCases(): Promise<Case[]> {
  const cases: Case[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts'))) {
    const exported = Object.values(
      (await import(pathToFileURL(join(folder, file)).href)) as Record<string, Case>,
    );
    const [only] = exported;
    if (only === undefined || exported.length > 1)
      throw new Error(`bench/cases/${file} must export one case`);
    cases.push(only);
  }
  return cases.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export async function findCase(name: string): Promise<Case> {
  const found = (await loadCases()).find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no case "${name}". \`npm run bench\` lists the cases.`);
  return found;
}
