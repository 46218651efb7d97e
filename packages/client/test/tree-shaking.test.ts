// A bundle has only the operations that its program imports.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const description = readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8');
const { paths }: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(description);

/** Bundles for a browser, where an import of Node's modules is an error. */
async function bundle(program: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** The paths whose operations a bundle can call. */
const findPaths = (code: string) => Object.keys(paths).filter((path) => code.includes(`url: "${path}"`));

/** It is read as it comes, and the client reads whole answers. */
const stream = '/partners/{id}/listeners/{endpoint_id}/requests';

it('has each operation but the stream of a listener, and a bundle keeps what is imported', async () => {
  const index = '../src/index.ts';
  const few = await bundle(`import { createClient, getMe, items, listPartners, publishEvent } from '${index}';
    console.log(createClient, getMe, items, listPartners, publishEvent);`);
  const all = await bundle(`export * from '${index}';`);
  expect(findPaths(all)).toEqual(Object.keys(paths).filter((path) => path !== stream));
  expect(findPaths(few)).toEqual(
    Object.keys(paths).filter((path) => ['/me', '/partners', '/partners/{id}/events'].includes(path)),
  );
  const functions = Object.values(paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId }) => operationId),
  );
  const kept = functions.filter((name) => few.includes(`var ${name} = `));
  expect(kept.toSorted()).toEqual(['getMe', 'listPartners', 'publishEvent']);
});
