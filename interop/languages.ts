// The receivers of docs/receivers and the runtimes of our packages: how to run each, and its known deviations.
import { join } from 'node:path';
import { runtime } from './runtimes.ts';

export type Language = {
  name: string;
  /** Commands that fail when a required tool is missing. */
  tools: string[][];
  /** Where it runs. */
  folder: string;
  /** Where its files are; `folder` by default. */
  files?: string;
  /** Its file in docs/receivers; none for our packages. */
  receiver?: string;
  /** Where that file is copied to; its own name by default. */
  source?: string;
  prepare: string[][];
  command: string[];
  /** True when the library also signs requests for us to verify, and verifies a request that we sign. */
  signs: boolean;
  /** The nonce of the request that the library verifies; one with escapes by default. */
  nonce?: string;
  /** Components of the general request that the library cannot compute as RFC 9421 says. */
  unsupported?: string[];
  /** Names of vectors with another result than expected, each with the reason why that is safe. */
  deviations: Record<string, string>;
};

const strict = 'stricter: it accepts everything that Concord sends';
const lenient = 'more lenient: a valid signature still covers every required component';
const twoSignatures = {
  'two signatures by the sender': strict,
  'a second signature, by a proxy, with the same algorithm and components': strict,
  'a second signature, by a proxy, in the same lines': strict,
  'a second signature, by a proxy, in lines before ours': strict,
};

/** What a receiver for exactly the form that Concord writes refuses too. */
const otherForms = {
  ...twoSignatures,
  'parameters in another order': strict,
  'one more component is covered, with a parameter': strict,
  'more parameters: nonce, tag, and unregistered ones': strict,
  'expires in a minute': strict,
  'optional whitespace in Signature-Input': strict,
  'sha-512 beside sha-256': strict,
  'an unknown digest beside sha-256': strict,
};
const exactForm = {
  ...otherForms,
  'components in another order': strict,
  'one more component is covered': strict,
};

const esbuild = join(import.meta.dirname, '../node_modules/.bin/esbuild');

/** Runs our packages, bundled into one file. */
const inRuntime = (name: string, tool: string, ...command: string[]): Language => ({
  name,
  tools: [[tool, '--version']],
  folder: name.toLowerCase(),
  prepare: [
    [
      esbuild,
      'harness.mjs',
      '--bundle',
      '--format=esm',
      '--platform=node',
      '--outfile=bundle.mjs',
      '--log-level=error',
    ],
  ],
  command: [tool, ...command, 'bundle.mjs'],
  signs: false,
  deviations: {},
});

const tsc = join(import.meta.dirname, '../node_modules/typescript-native/bin/tsc');

const compilerOptions = [
  '--strict',
  '--ignoreConfig',
  '--module',
  'nodenext',
  '--target',
  'es2023',
  '--types',
  'node',
];

/** The code for a library of somebody else, on Node. It must compile in strict mode. */
const withLibrary = (library: string, deviations: Language['deviations']): Language => ({
  name: `TypeScript with ${library}`,
  tools: [['npm', '--version']],
  folder: library,
  files: 'typescript',
  receiver: `${library}.ts`,
  source: 'receiver.ts',
  prepare: [
    ['npm', 'install', '--silent', '--no-package-lock'],
    [process.execPath, tsc, ...compilerOptions, 'receiver.ts'],
  ],
  command: [process.execPath, 'harness.mjs'],
  signs: false,
  deviations,
});

export const languages: Language[] = [
  inRuntime('Node', process.execPath),
  inRuntime('Deno', runtime('deno'), 'run', '--allow-read'),
  inRuntime('Bun', runtime('bun')),
  {
    name: 'Python',
    tools: [['python3', '-m', 'venv', '--help']],
    folder: 'python',
    receiver: 'receiver.py',
    prepare: [
      ['python3', '-m', 'venv', 'venv'],
      [
        'venv/bin/pip',
        'install',
        '--quiet',
        '--disable-pip-version-check',
        '--requirement',
        'requirements.txt',
      ],
    ],
    command: ['venv/bin/python', 'harness.py'],
    signs: true,
    deviations: {
      ...twoSignatures,
      'more parameters: nonce, tag, and unregistered ones': strict,
      'an unknown digest beside sha-256': strict,
    },
  },
  {
    name: 'Go',
    tools: [['go', 'version']],
    folder: 'go',
    receiver: 'receiver.go',
    prepare: [],
    command: ['go', 'run', '.'],
    signs: true,
    deviations: {
      ...twoSignatures,
      'optional whitespace in Signature-Input': strict,
      'a component twice': lenient,
      'an unknown parameter of a component': lenient,
    },
  },
  {
    name: 'Rust',
    tools: [['cargo', '--version']],
    folder: 'rust',
    receiver: 'receiver.rs',
    source: 'src/receiver.rs',
    prepare: [['cargo', 'build', '--quiet']],
    command: ['target/debug/interop'],
    signs: true,
    // The library writes the nonce without escapes, does not decode query parameters, and does not wrap
    // lines.
    nonce: 'a nonce',
    unsupported: ['"@query-param";name="b"', '"x-two";bs'],
    deviations: {
      ...otherForms,
      'the method in lower case': lenient,
      'a covered header is missing': lenient,
    },
  },
  {
    name: 'Java',
    tools: [
      ['javac', '--version'],
      ['mvn', '--version'],
    ],
    folder: 'java',
    receiver: 'Webhooks.java',
    prepare: [
      ['mvn', '--quiet', '--batch-mode', 'dependency:copy-dependencies', '-DoutputDirectory=lib'],
      ['javac', '-cp', 'lib/*', 'Webhooks.java', 'Harness.java'],
    ],
    command: ['java', '-cp', 'lib/*:.', 'Harness'],
    signs: false,
    deviations: {
      ...twoSignatures,
      'one more component is covered, with a parameter': strict,
      'optional whitespace in Signature-Input': strict,
    },
  },
  {
    name: 'PHP',
    tools: [['php', '-r', 'exit(extension_loaded("openssl") ? 0 : 1);']],
    folder: 'php',
    receiver: 'receiver.php',
    prepare: [],
    command: ['php', 'harness.php'],
    signs: false,
    deviations: exactForm,
  },
  {
    name: 'Ruby',
    tools: [['ruby', '-r', 'openssl', '-e', '']],
    folder: 'ruby',
    receiver: 'receiver.rb',
    prepare: [],
    command: ['ruby', 'harness.rb'],
    signs: false,
    deviations: exactForm,
  },
  withLibrary('http-message-signatures', {
    ...otherForms,
    'one more component is covered': strict,
    'a component twice': lenient,
  }),
  withLibrary('http-message-sig', {
    ...twoSignatures,
    'one more component is covered, with a parameter': strict,
    'sha-512 beside sha-256': strict,
    'an unknown digest beside sha-256': strict,
    'a folded line': lenient,
  }),
];
