// `npm run bundle`: builds the program into server/dist, which it runs from. `npm ci` does it too, when its sources
// have changed.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { bundle } from '../server/src/program/bundle.ts';
import { buildAfterInstall, buildFolder, buildFolderIfChanged, root } from './built-folder.ts';
import { runCommand } from './command.ts';

const usage = `Usage: npm run bundle [-- --if-changed]
Builds the program into server/dist. Every start runs it from there, unless its sources have changed since.
  --if-changed  builds only when a source has changed since the last build (npm ci runs this)`;

const built = { ...bundle, fill: buildBundle };

export const buildBundleIfChanged = (): Promise<void> => buildFolderIfChanged(built);

async function buildBundle(next: string): Promise<void> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['server/src/program/main.ts'],
    outdir: next,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    // It reads files beside its own. `pg` can do without the other.
    external: ['@fastify/swagger-ui', 'pg-native'],
    banner: {
      js: "const require = process.getBuiltinModule('module').createRequire(import.meta.url);",
    },
    plugins: [
      {
        name: 'own files',
        setup({ onLoad }) {
          // A module that reads files beside its source, finds them there.
          onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            const folder = JSON.stringify(`/${relative(bundle.folder, dirname(path))}`);
            const text = await readFile(path, 'utf8');
            const contents = text
              .replaceAll('import.meta.dirname', `(import.meta.dirname + ${folder})`)
              .replaceAll(
                'import.meta.url',
                `new URL(${JSON.stringify(relative(bundle.folder, path))}, import.meta.url).href`,
              );
            return { contents, loader: 'ts' };
          });
        },
      },
    ],
    logLevel: 'warning',
    write: false,
  });
  for (const { path, text } of outputFiles) await writeFile(path, toAscii(text));
}

/**
 * esbuild leaves such characters in comments and regular expressions, and in templates with a tag, whose raw text would
 * change. V8 would keep the whole text in two bytes for each character: 10 MB more.
 */
export const toAscii = (text: string): string =>
  text.replaceAll(/\\?[^\0-\x7f]/g, (found) => {
    if (found.length > 1)
      throw new Error(`The bundle cannot have ${found}: write the character by its number.`);
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

if (import.meta.main)
  await runCommand(usage, { 'if-changed': { type: 'boolean' } }, (values) =>
    values['if-changed']
      ? buildAfterInstall(built, 'esbuild', 'The program runs from its sources.')
      : buildFolder(built),
  );
