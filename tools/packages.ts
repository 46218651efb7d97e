// `npm run packages`: builds and packs the published packages into packages/dist, and checks them. `npm ci` builds
// them too, when their sources have changed. The service serves them from there.
import { join } from 'node:path';
import { buildAfterInstall, buildFolder, root } from './built-folder.ts';
import { complain, runCommand } from './command.ts';
import { names } from './packages/published.ts';

const usage = `Usage: npm run packages [-- --build | --if-changed]
Builds and packs the published packages into packages/dist, and checks the tarballs.
  --build       checks nothing
  --if-changed  builds only when a source has changed since the last build, and checks nothing (npm ci runs this)
A Concord that is started afterwards serves them at /packages. A registry takes them with npm publish FILE.`;

const folders = names.map((name) => `packages/${name}`);
export const dist = join(root, 'packages/dist');

const built = {
  folder: dist,
  sources: [
    ...folders.flatMap((folder) =>
      ['src', 'package.json', 'README.md', 'tsconfig.json'].map((path) => `${folder}/${path}`),
    ),
    ...['LICENSE', 'package.json', 'package-lock.json', 'tsconfig.json', 'tools/packages'],
  ],
  async fill(next: string) {
    // Absent without development dependencies.
    const { buildPackages } = await import('./packages/build.ts');
    await buildPackages({ folders, next });
  },
};

const options = { build: { type: 'boolean' }, 'if-changed': { type: 'boolean' } } as const;

if (import.meta.main)
  await runCommand(usage, options, async (values) => {
    if (values['if-changed'])
      return buildAfterInstall(built, 'typescript-native', 'Concord works without the packages.');
    await buildFolder(built);
    if (values.build) return;
    const { checkPackages } = await import('./packages/checks.ts');
    complain(await checkPackages(dist));
  });
