// The languages of docs/receiving-webhooks.md, and the other runtimes of our own packages: how each is run, and where its libraries
// differ from the vectors.
import { join } from 'node:path';

export type Language = {
  /** The section of the document. */
  name: string;
  tools: string[][];
  folder: string;
  /** Where the code of the document goes, if it is a language of the document. */
  source?: string;
  prepare: string[][];
  command: string[];
  /** Whether its library also signs, for us to verify, and verifies what we sign. */
  signs: boolean;
  /** Vectors that it judges otherwise, and why that is no danger. */
  deviations: Record<string, string>;
};

const strict = 'takes only what the service sends: refusing more is no danger';
const twoSignatures = {
  'a second signature, of a proxy, in the same lines': strict,
  'a second signature, of a proxy, in lines of its own before ours': strict,
};

const esbuild = join(import.meta.dirname, '../node_modules/.bin/esbuild');

/** Our own packages, as one file. */
const inRuntime = (name: string, tool: string, ...command: string[]): Language => ({
  name,
  tools: [[tool, '--version']],
  folder: tool,
  prepare: [[esbuild, 'harness.mjs', '--bundle', '--format=esm', '--platform=node', '--outfile=bundle.mjs', '--log-level=error']],
  command: [tool, ...command, 'bundle.mjs'],
  signs: false,
  deviations: {},
});

export const languages: Language[] = [
  inRuntime('Deno', 'deno', 'run', '--allow-read'),
  inRuntime('Bun', 'bun'),
  {
    name: 'Python',
    tools: [['python3', '-m', 'venv', '--help']],
    folder: 'python',
    source: 'receiver.py',
    prepare: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', 'requirements.txt'],
    ],
    command: ['venv/bin/python', 'harness.py'],
    signs: true,
    deviations: {
      ...twoSignatures,
      'more parameters: nonce, tag, and one that is not registered': strict,
      'an unknown digest beside sha-256': strict,
    },
  },
  {
    name: 'Go',
    tools: [['go', 'version']],
    folder: 'go',
    source: 'receiver.go',
    prepare: [],
    command: ['go', 'run', '.'],
    signs: true,
    deviations: {
      ...twoSignatures,
      'optional whitespace within Signature-Input': strict,
      'a component twice': 'the library lets it pass; all that must be covered is, by a good signature',
      'an unknown parameter of a component': 'the library lets it pass; all that must be covered is, by a good signature',
    },
  },
  {
    name: 'Java',
    tools: [
      ['javac', '--version'],
      ['mvn', '--version'],
    ],
    folder: 'java',
    source: 'Webhooks.java',
    prepare: [
      ['mvn', '--quiet', '--batch-mode', 'dependency:copy-dependencies', '-DoutputDirectory=lib'],
      ['javac', '-cp', 'lib/*', 'Webhooks.java', 'Harness.java'],
    ],
    command: ['java', '-cp', 'lib/*:.', 'Harness'],
    signs: false,
    deviations: {
      ...twoSignatures,
      'one more component is covered, with a parameter': strict,
      'optional whitespace within Signature-Input': strict,
    },
  },
];
