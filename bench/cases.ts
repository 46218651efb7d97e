// Finds the cases, which the files in bench/cases/ export.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Case } from './case.ts';

const folder = join(import.meta.dirname, 'cases');

export async function loadCases(): Promise<Case[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const exported = await Promise.all(
    files.map((file): Promise<Record<string, Case>> => import(pathToFileURL(join(folder, file)).href)),
  );
  return exported.flatMap((each) => Object.values(each)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function findCase(cases: readonly Case[], name: string): Case {
  const found = cases.find((each) => each.name === name);
  if (found === undefined)
    throw new Error(`There is no case "${name}". \`npm run bench -- --help\` lists the cases.`);
  return found;
}
