// `npm run packages`: builds the published packages into packages/*/dist, packs them, and checks the result
// with what a stranger has: publint, attw, their size, and programs that install and use them as ES modules
// and CommonJS, types included.
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const root = join(import.meta.dirname, '..');
/** The packages, with the most bytes that the own code may have, minified. */
const limits = { 'http-message-signatures': 20_000, 'webhook-receiver': 20_000, client: 60_000 };
const names = Object.keys(limits) as (keyof typeof limits)[];
const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
const execute = promisify(execFile);
const run = (program: string, ...args: string[]) => execute(program, args, { cwd: root, encoding: 'utf8' });
const runNode = (...args: string[]) => run(process.execPath, ...args);

const { values } = parseArgs({ options: { help: { type: 'boolean' }, repository: { type: 'string' } } });

type Manifest = Record<string, unknown> & { name: string };
const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8'));

/**
 * In the repository the exports are the sources, so that nothing has to be built to run or test; published
 * are the built files.
 */
function writeManifest(name: string, dist: string): Manifest {
  const {
    private: _,
    exports: _exports,
    devDependencies: _dev,
    ...manifest
  } = readManifest(join(root, 'packages', name, 'package.json'));
  const { repository: url } = values;
  const module = { types: './index.d.ts', default: './index.js' };
  const published = {
    ...manifest,
    ...(url && { repository: { type: 'git', url, directory: `packages/${name}` }, homepage: url }),
    // For TypeScript's old resolution, which knows no exports.
    main: './cjs/index.js',
    types: './cjs/index.d.ts',
    // `module-sync`: the ES module, where `require` can load it, so that a process has one copy of the code.
    exports: {
      '.': {
        'module-sync': module,
        require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
        default: module,
      },
    },
    files: ['**/*.js', '**/*.d.ts', 'cjs'],
    engines: { node: '>=20' },
  };
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  return published;
}

/**
 * Bundles the own code for `require`, and copies the types beside it. The nearest package.json says that they
 * are CommonJS.
 */
async function buildCommonJs(dist: string): Promise<void> {
  const folder = join(dist, 'cjs');
  await build({
    entryPoints: [join(dist, 'index.js')],
    outfile: join(folder, 'index.js'),
    bundle: true,
    packages: 'external',
    format: 'cjs',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'error',
  });
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.d.ts') && !file.startsWith('cjs')) cpSync(join(dist, file), join(folder, file));
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
}

/** Bytes, minified. */
async function measure(dist: string): Promise<{ own: number; whole: number; gzipped: number }> {
  const bundle = async (packages: 'bundle' | 'external') => {
    const { outputFiles } = await build({
      entryPoints: [join(dist, 'index.js')],
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      packages,
      write: false,
      logLevel: 'error',
    });
    return outputFiles[0]?.contents ?? new Uint8Array();
  };
  const whole = await bundle('bundle');
  return { own: (await bundle('external')).length, whole: whole.length, gzipped: gzipSync(whole).length };
}

async function checkPackage(name: keyof typeof limits, packed: string): Promise<string[]> {
  const dist = join(root, 'packages', name, 'dist');
  await buildCommonJs(dist);
  const manifest = writeManifest(name, dist);
  copyFileSync(join(root, 'packages', name, 'README.md'), join(dist, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
  const { stdout } = await run('npm', 'pack', dist, '--pack-destination', packed, '--json', '--silent');
  const [{ filename }] = JSON.parse(stdout);
  const tarball = join(packed, filename);

  const problems: string[] = [];
  const { messages } = await publint({ pkgDir: dist, strict: true });
  for (const message of messages) problems.push(`publint: ${formatMessage(message, manifest)}`);
  const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  await runNode(attw, tarball, '--profile', 'strict', '--no-emoji').catch(({ stdout: said }) =>
    problems.push(`attw: ${said}`),
  );
  const { own, whole, gzipped } = await measure(dist);
  process.stdout.write(
    `${manifest.name}: ${own} bytes minified; ${whole} with its dependencies (${gzipped} gzipped)\n`,
  );
  if (own > limits[name]) problems.push(`size: more than ${limits[name]} bytes`);

  const installed = join(packed, 'node_modules', manifest.name);
  mkdirSync(installed, { recursive: true });
  await run('tar', '-xzf', tarball, '-C', installed, '--strip-components=1');
  return problems.map((problem) => `${manifest.name}: ${problem}`);
}

/** Compiles and runs as an ES module and as CommonJS. */
const program = `import { createKeyCache, createWebhookReceiver, toFetchHandler, WebhookError } from '@concord/webhook-receiver';
import type { BuiltInEvent, WebhookEvent } from '@concord/webhook-receiver';

const options = {
  url: 'https://hooks.example.com/concord',
  partnerId: 'ptr_01h2xcejqtf2nbrexx3vqjhp41',
  keys: createKeyCache({ url: 'https://concord.example.com/.well-known/jwks.json' }),
};
const receiver = createWebhookReceiver({
  ...options,
  handle: (event) => {
    const { data } = event;
    // @ts-expect-error: the type is not known yet
    void data.quantity;
    if (event.type === 'inventory.updated') event.data.quantity.toFixed();
    else event.data.status.trim();
  },
  onError: (error) => { if (!(error instanceof WebhookError)) throw error; },
});
type Paid = WebhookEvent<'invoice.paid', { invoice: string }>;
createWebhookReceiver<BuiltInEvent | Paid>({
  ...options,
  handle: (event) => { if (event.type === 'invoice.paid') event.data.invoice.trim(); },
});
// @ts-expect-error: the partner is missing
const withoutPartner = () => createWebhookReceiver({ url: options.url, keys: options.keys, handle: () => {} });
void withoutPartner;

async function main(): Promise<void> {
  const response = await toFetchHandler(receiver)(new Request(options.url, { method: 'POST', body: '{}' }));
  if (response.status !== 401) throw new Error('The packed packages do not work');
}
void main();
`;

/**
 * The same for the client: types of bodies and answers, lists, errors, and a request over a `fetch` of its
 * own.
 */
const clientProgram = `import { ConcordError, createClient, createPartner, getPartner, items, listPartners, withResponse } from '@concord/client';
import type { Concord, Partner } from '@concord/client';

const client: Concord = createClient({
  baseUrl: 'https://concord.example.com',
  token: async () => 'a token',
  headers: { 'x-from': 'a stranger' },
  maxRetries: 0,
  fetch: async (input, init) => {
    const { headers, url } = new Request(input, init);
    const answer = { url, token: headers.get('authorization'), from: headers.get('x-from') };
    if (!url.endsWith('/missing')) return Response.json(answer, { headers: { etag: '"1"' } });
    return Response.json({ message: 'Not found.', code: 'not_found', request_id: 'req-1' }, { status: 404 });
  },
});
const names = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const partner of items(listPartners, { client, query: { 'filter[name]': 'nord' } })) found.push(partner.name);
  return found;
};
// @ts-expect-error: a partner needs a name
const withoutName = () => createPartner({ client, body: {} });
void [names, withoutName];

async function main(): Promise<void> {
  const { data, response } = await withResponse(getPartner, { client, path: { id: 'ptr_1' } });
  const partner: Partner = data;
  // @ts-expect-error: a partner has no such member
  void partner.quantity;
  const expected = { url: 'https://concord.example.com/partners/ptr_1', token: 'Bearer a token', from: 'a stranger' };
  const error: unknown = await getPartner({ client, path: { id: 'missing' } }).catch((thrown: unknown) => thrown);
  const isRight = error instanceof ConcordError && error.code === 'not_found' && response.headers.get('etag') === '"1"';
  if (!isRight || JSON.stringify(data) !== JSON.stringify(expected)) throw new Error('The packed client does not work');
}
void main();
`;

/** The first example in TypeScript of a document. */
function readExample(file: string): string {
  const example = /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1];
  if (!example) throw new Error(`${file} has no example`);
  return example;
}

/**
 * What a stranger has: the packed files, the one dependency, and TypeScript, which skips no types. The
 * examples of the documents must compile, and those that need no network must run.
 */
async function useAsStranger(folder: string): Promise<string[]> {
  cpSync(join(root, 'node_modules/structured-headers'), join(folder, 'node_modules/structured-headers'), {
    recursive: true,
  });
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  write('package.json', '{ "type": "module" }\n');
  const portable = [
    write('program.ts', program),
    write('client.ts', clientProgram),
    write('signatures.ts', readExample('packages/http-message-signatures/README.md')),
  ];
  const onNode = [
    write('document.ts', readExample('docs/receiving-webhooks.md')),
    write('receiver.ts', readExample('packages/webhook-receiver/README.md')),
  ];
  const common = [write('program.cts', program), write('client.cts', clientProgram)];
  const options = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--strict', '--ignoreConfig'];
  const [next, node16] = ['nodenext', 'node16'].map((module) => ['--module', module, ...options]) as [
    string[],
    string[],
  ];
  const nodeTypes = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types'), '--skipLibCheck'];
  try {
    await runNode(tsc, ...next, '--types', '', ...portable, ...common);
    await runNode(tsc, ...node16, '--types', '', '--noEmit', ...common);
    await runNode(tsc, ...next, ...nodeTypes, '--noEmit', ...onNode);
    for (const file of [...portable, ...common]) await runNode(file.replace(/ts$/, 'js'));
    // As on a runtime whose require cannot load ES modules.
    for (const file of common) await runNode('--no-experimental-require-module', file.replace(/ts$/, 'js'));
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return [`a stranger's program: ${stdout}${stderr}`];
  }
}

if (values.help) {
  process.stdout.write(`Usage: npm run packages [-- --repository URL]
Builds, packs and checks the packages that are published.
--repository writes the URL of the repository into their package.json, as repository and homepage.
`);
  process.exit();
}
for (const name of names) rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true });
await runNode(tsc, '--build', '--force', ...names.map((name) => join('packages', name)));
const packed = mkdtempSync(join(tmpdir(), 'concord-packages-'));
try {
  const problems = (await Promise.all(names.map((name) => checkPackage(name, packed)))).flat();
  problems.push(...(await useAsStranger(packed)));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  rmSync(packed, { recursive: true, force: true });
}
