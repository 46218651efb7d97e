// Writes the files that are made from the code. With --check it only compares.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listFiles } from '../server/src/program/bundle.ts';
import { complain, runCommand } from './command.ts';

const usage =
  'Usage: npm run generate [-- --check]\nWrites openapi.json, docs/configuration.md, docs/errors.md, docs/command-line.md, vectors/webhooks.json, vectors/checkpoints.json, packages/client/src/generated and the files *.gen.ts of built-in event types and resources, and takes the engines out of package-lock.json; --check fails when one of them is not up to date.';
const root = join(import.meta.dirname, '..');

await runCommand(usage, { check: { type: 'boolean' } }, async ({ check }) => {
  // It loads the whole server.
  const { clientFolder, generateFiles } = await import('./generated-files.ts');
  const files = await generateFiles();
  const stale = listFiles(clientFolder).filter((file) => !(file in files));
  if (check)
    return complain([
      ...Object.keys(files)
        .filter(
          (file) => !existsSync(join(root, file)) || readFileSync(join(root, file), 'utf8') !== files[file],
        )
        .map((file) => `${file} is not what the code says: run npm run generate, and commit it.`),
      ...stale.map((file) => `${file} is not generated any more: run npm run generate, and commit it.`),
    ]);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  for (const file of stale) rmSync(join(root, file));
});
