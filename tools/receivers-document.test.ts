// The receivers of docs/receivers are the ones that `npm run interop` runs, and docs/receiving-webhooks.md has them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { languages } from '../interop/languages.ts';

it('H10: interop runs each receiver of the document, or the document says that it does not', () => {
  const document = readFileSync(join(import.meta.dirname, '../docs/receiving-webhooks.md'), 'utf8');
  const rows = [...document.matchAll(/^- .*\]\(receivers\/(.+?)\).*$/gm)].map(([row, file = '']) => ({
    file,
    isRun: !row.includes('`npm run interop` does not run it'),
  }));
  const files = readdirSync(join(import.meta.dirname, '../docs/receivers'));
  expect(rows.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
  const run = languages.flatMap(({ receiver }) => receiver ?? []);
  expect(rows.filter(({ isRun }) => isRun).map(({ file }) => file)).toEqual(run);
  expect(rows.filter(({ isRun }) => !isRun).map(({ file }) => file)).toEqual(['Webhooks.cs']);
});
