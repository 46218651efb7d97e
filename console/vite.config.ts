// Builds the console into dist: hashed files below /console/, each with its compressed forms beside it.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Compresses once here, so that the service never does. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      const files = await readdir(dir, { recursive: true, withFileTypes: true });
      const texts = files.filter((file) => file.isFile() && /\.(js|css|html|svg)$/.test(file.name));
      await Promise.all(
        texts.map(async ({ parentPath, name }) => {
          const path = join(parentPath, name);
          const content = await readFile(path);
          await writeFile(`${path}.br`, await promisify(brotliCompress)(content));
          await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
        }),
      );
    },
  };
}

/** `document.md?code`: the code of a document by its headings, without the prose. */
function codeOfDocuments(): Plugin {
  return {
    name: 'code-of-documents',
    enforce: 'pre',
    async load(id) {
      const path = /^(.*\.md)\?code$/.exec(id)?.[1];
      if (path === undefined) return null;
      this.addWatchFile(path);
      const blocks = (await readFile(path, 'utf8')).matchAll(/^### (.+?)\n(?:(?!^#)[\s\S])*?^```\w+\n([\s\S]*?)\n```$/gm);
      const code = Object.fromEntries([...blocks].map(([, heading, text]) => [heading, text]));
      return { code: `export const code = ${JSON.stringify(code)};`, moduleType: 'js' };
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [codeOfDocuments(), react(), precompress()],
  build: {
    // Browsers that know light-dark() and popovers.
    target: ['chrome123', 'firefox125', 'safari17.5'],
    // Data URLs of fonts and images would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    reportCompressedSize: false,
    // One file for the pages of an area: together they compress better. Pages that anyone can open stay apart, since the first one counts.
    rolldownOptions: {
      // How long plugins took is no warning: people read it during `npm ci`.
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // Changes seldom, so that browsers keep it over upgrades.
            {
              name: 'libraries',
              test: /\/node_modules\/(react|react-dom|scheduler|@tanstack)\/|preload-helper/,
            },
            // What every page needs, the first one included.
            {
              name: 'kit',
              test: /\/console\/src\/(api\/(client|health|query-client|read)|ui\/(button|class-names|form|icons|layout\/(page|layout)|toast|tones|feedback\/(?!empty)))/,
            },
            ...['account', 'admin', 'partner', 'webhooks'].map((area) => ({
              name: area,
              test: new RegExp(`/console/src/pages/${area}/(?!routes)`),
            })),
          ],
        },
      },
    },
  },
  // For `npm run dev --workspace console`: the service runs beside it.
  server: { proxy: { '/console/api': 'http://127.0.0.1:3000' } },
});
