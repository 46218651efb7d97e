// Generates clients from the description of a running service, with generators of other people, and runs each
// against that service.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { choose, hasTools, type Place, runAll, withConcord } from './concord.ts';

const root = join(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache/interop/generators');
const execute = promisify(execFile);

type Generator = {
  name: string;
  /** Commands that fail when a required tool is missing. */
  tools: string[][];
  /** In `interop/generators`: the program that uses the client. */
  folder: string;
  /** Run in a copy of the folder, beside `openapi.json` and `openapi-3.0.json`. */
  prepare: string[][];
  command: string[];
};

const openApiGenerator = '7.25.0';
const jar = join(cache, `openapi-generator-cli-${openApiGenerator}.jar`);
const bin = (name: string) => join(root, 'node_modules/.bin', name);
const java = [
  ['java', '--version'],
  ['mvn', '--version'],
];
const generate = (language: string, output: string, options: string, ...more: string[]) => [
  ...[
    'java',
    '-jar',
    jar,
    'generate',
    '--generator-name',
    language,
    '--input-spec',
    'openapi.json',
    '--output',
    output,
  ],
  ...[
    '--additional-properties',
    options,
    '--global-property',
    'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false',
  ],
  ...more,
];
const venv = [
  ['python3', '-m', 'venv', 'venv'],
  ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check'],
] as const;
const typeCheck = ['node_modules/.bin/tsc', '--project', '.'];
const bundle = (file: string) => [
  bin('esbuild'),
  file,
  '--bundle',
  '--format=esm',
  '--outfile=bundle.mjs',
  '--log-level=error',
];
const installPackages = ['npm', 'install', '--silent', '--no-package-lock'];

const generators: Generator[] = [
  {
    name: 'openapi-generator, Java',
    tools: [...java, ['javac', '--version']],
    folder: 'openapi-generator-java',
    prepare: [
      // A class in Java has `equals` already.
      generate('java', 'client', 'library=native,openApiNullable=false', '--name-mappings=equals=equalTo'),
      ['cp', 'Run.java', 'client/src/main/java/Run.java'],
      [
        'mvn',
        '--quiet',
        '--batch-mode',
        '-f',
        'client',
        '-DskipTests',
        'compile',
        'dependency:copy-dependencies',
      ],
    ],
    command: ['java', '-cp', 'client/target/classes:client/target/dependency/*', 'Run'],
  },
  {
    name: 'openapi-generator, Go',
    tools: [...java, ['go', 'version']],
    folder: 'openapi-generator-go',
    prepare: [
      generate('go', 'concord', 'packageName=concord,withGoMod=false'),
      ['go', 'vet', '.', './concord'],
    ],
    command: ['go', 'run', '.'],
  },
  {
    name: 'openapi-generator, Python',
    tools: [...java, ['python3', '-m', 'venv', '--help']],
    folder: 'openapi-generator-python',
    prepare: [
      generate('python', 'client', 'packageName=openapi_client'),
      [...venv[0]],
      [...venv[1], './client'],
    ],
    command: ['venv/bin/python', 'run.py'],
  },
  {
    name: 'openapi-python-client',
    tools: [['python3', '-m', 'venv', '--help']],
    folder: 'openapi-python-client',
    prepare: [
      [...venv[0]],
      [...venv[1], 'openapi-python-client==0.29.1'],
      [
        'venv/bin/openapi-python-client',
        'generate',
        '--path',
        'openapi.json',
        '--output-path',
        'client',
        '--overwrite',
      ],
      [...venv[1], './client'],
    ],
    command: ['venv/bin/python', 'run.py'],
  },
  {
    name: 'oapi-codegen',
    tools: [['go', 'version']],
    folder: 'oapi-codegen',
    prepare: [
      ['mkdir', '-p', 'concord'],
      [
        ...['go', 'run', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'],
        ...[
          '-generate',
          'types,client',
          '-package',
          'concord',
          '-o',
          'concord/client.go',
          'openapi-3.0.json',
        ],
      ],
      ['go', 'vet', '.', './concord'],
    ],
    command: ['go', 'run', '.'],
  },
  {
    name: 'openapi-typescript and openapi-fetch',
    tools: [['npm', '--version']],
    folder: 'typescript',
    prepare: [
      installPackages,
      ['node_modules/.bin/openapi-typescript', 'openapi.json', '--output', 'schema.d.ts'],
      [bin('openapi-ts'), '--input', 'openapi.json', '--output', 'hey', '--silent'],
      typeCheck,
      bundle('fetch.ts'),
    ],
    command: [process.execPath, 'bundle.mjs'],
  },
  {
    name: 'progenitor',
    tools: [['cargo', '--version']],
    folder: 'progenitor',
    prepare: [
      [
        'cargo',
        'install',
        '--quiet',
        '--root',
        join(cache, 'cargo'),
        '--version',
        '0.15.1',
        'cargo-progenitor',
      ],
      [
        ...[join(cache, 'cargo/bin/cargo-progenitor'), 'progenitor', '--input', 'openapi-3.0.json'],
        ...['--output', 'client', '--name', 'concord-client', '--version', '0.1.0'],
      ],
      ['cargo', 'build', '--quiet'],
    ],
    command: ['target/debug/interop'],
  },
];
const [fetching] = generators.filter(({ folder }) => folder === 'typescript');
if (fetching) {
  const prepare = [...fetching.prepare.slice(0, -1), bundle('hey.ts')];
  generators.push({ ...fetching, name: 'hey-api', prepare });
}

for (const importer of ['postman', 'bruno'])
  generators.push({
    name: `${importer}, its import`,
    tools: [['npm', '--version']],
    folder: 'collections',
    prepare: [installPackages],
    command: [process.execPath, `${importer}.mjs`],
  });

type Printed = { partner: string; event: string; pages: number[]; error: string };

/** Lists what is not as expected. */
async function run(
  { name, tools, folder, prepare, command }: Generator,
  { url, token }: Place,
): Promise<string[]> {
  if (!(await hasTools(`the client of ${name}`, tools))) return [];
  const cwd = join(cache, folder);
  for (const stale of ['client', 'concord', 'hey'])
    rmSync(join(cwd, stale), { recursive: true, force: true });
  mkdirSync(cwd, { recursive: true });
  cpSync(join(import.meta.dirname, 'generators', folder), cwd, { recursive: true });
  const env = {
    ...process.env,
    CONCORD_URL: url,
    CONCORD_TOKEN: token,
    CONCORD_NAME: name.replaceAll(/\W+/g, '-'),
  };
  try {
    for (const file of ['openapi.json', 'openapi-3.0.json'])
      writeFileSync(join(cwd, file), await (await fetch(`${url}/${file}`)).text());
    const stdout = await runAll([...prepare, command], { cwd, env });
    const { partner, event, pages, error } = JSON.parse(stdout) as Printed;
    const isRight =
      partner.startsWith('ptr_') &&
      event.startsWith('evt_') &&
      String(pages) === '2,1' &&
      error === '404 not_found';
    if (!isRight) return [`the client of ${name}: printed ${stdout}`];
    process.stdout.write(
      `ok the client of ${name}: creates, publishes, lists by pages, and reads an error\n`,
    );
    return [];
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
    return [`the client of ${name}: ${message}\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`];
  }
}

/** Lists what is not as expected. `only`: a part of the names of generators. */
export async function runGenerators(only: string): Promise<string[]> {
  const chosen = choose('Generators', generators, only);
  mkdirSync(cache, { recursive: true });
  const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${openApiGenerator}`;
  // Without Maven, its clients are skipped.
  if (!existsSync(jar))
    await execute('mvn', [
      '--quiet',
      '--batch-mode',
      'dependency:copy',
      artifact,
      `-DoutputDirectory=${cache}`,
    ]).catch(() => {});
  return withConcord(async (place) => {
    const problems: string[] = [];
    // One after another: each compiles with every core.
    for (const generator of chosen) problems.push(...(await run(generator, place)));
    return problems;
  });
}
