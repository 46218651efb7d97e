// The receivers of docs/receiving-webhooks.md are the ones that `npm run interop` runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { languages } from '../interop/languages.ts';

it('H10: interop runs the code of each language of the document, or the document says that it does not', () => {
  const document = readFileSync(join(import.meta.dirname, '../docs/receiving-webhooks.md'), 'utf8');
  const sections = document.split(/^### /m).slice(1);
  const written = sections.map((section) => ({
    name: section.split('\n', 1)[0] ?? '',
    blocks: section.match(/^```\w+\n/gm)?.length ?? 0,
    isRun: !section.includes('`npm run interop` does not run this code'),
  }));
  expect(written.map(({ blocks }) => blocks)).toEqual(written.map(() => 1));
  const run = languages.filter(({ source }) => source !== undefined).map(({ name }) => name);
  expect(written.filter(({ isRun }) => isRun).map(({ name }) => name)).toEqual(run);
  expect(written.filter(({ isRun }) => !isRun).map(({ name }) => name)).toEqual(['C#']);
});
