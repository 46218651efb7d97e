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

type ModuleInfo = { importedIds: readonly string[] };
type ChunkingContext = { getModuleInfo(id: string): ModuleInfo | null };

const source = join(import.meta.dirname, 'src');
const firstModules = [
  join(import.meta.dirname, 'index.html'),
  join(source, 'main.tsx'),
  join(source, 'pages/public/sign-in/sign-in-page.tsx'),
];
/** What the first page imports, by a build. */
const reachable = new WeakMap<object, ReadonlySet<string>>();

/** What the sign-in needs, without what it loads later. */
function isFirst(id: string, modules: ChunkingContext): boolean {
  let known = reachable.get(modules);
  if (known === undefined) {
    const seen = new Set<string>();
    const open = [...firstModules];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(modules.getModuleInfo(next)?.importedIds ?? []));
    }
    known = seen;
    reachable.set(modules, known);
  }
  return known.has(id);
}

/**
 * The file that a module goes to: few files load faster than many, and compress better. The pages of an area
 * are one file, and what several areas use is another.
 */
function nameChunk(id: string, modules: ChunkingContext): string | null {
  // Changes seldom, so that browsers keep it over upgrades.
  if (
    /\/node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack)\/|preload-helper|rolldown\/runtime/.test(
      id,
    )
  )
    return 'libraries';
  // One page of webhooks uses this part of the client.
  if (id.includes('/client/src/captured/')) return 'webhooks';
  if (isFirst(id, modules)) return 'first';
  if (/\/src\/ui\/chart\/(?!.*\.css)/.test(id)) return 'chart';
  // The overviews take it from the pages of webhooks.
  if (/\/src\/pages\/webhooks\/(shared\/((many-)?failures|endpoint-cells)|sending\/words)/.test(id))
    return 'shared';
  const [, area] = /\/src\/pages\/(account|admin|partner|webhooks)\//.exec(id) ?? [];
  // The texts of the quickstart are loaded with it alone.
  if (/\/quickstart\/(receiver|frameworks|servers)|\?raw$/.test(id)) return null;
  if (area !== undefined) return area;
  if (/\/src\/pages\/public\/(setup|invitation)\//.test(id)) return 'welcome';
  if (id.includes('/src/pages/public/')) return 'public';
  // Dialogs that a page opens later.
  if (/\/src\/app\/shell\/\w+-dialog\.tsx$/.test(id)) return null;
  return id.startsWith(source) || id.includes('/node_modules/') ? 'shared' : null;
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), precompress()],
  build: {
    // Browsers that know light-dark() and popovers.
    target: ['chrome123', 'firefox125', 'safari17.5'],
    // Data URLs of fonts and images would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    reportCompressedSize: false,
    rolldownOptions: {
      // How long plugins took is no warning: people read it during `npm ci`.
      checks: { pluginTimings: false },
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: nameChunk }] } },
    },
  },
  // For `npm run dev --workspace console`: the service runs beside it.
  server: { proxy: { '/console/api': 'http://127.0.0.1:3000' } },
});
