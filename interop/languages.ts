// The languages of docs/receiving-webhooks.md: how each is run, and where its libraries differ from the vectors.

export type Language = {
  /** The section of the document. */
  name: string;
  tools: string[][];
  folder: string;
  /** Where the code of the document goes. */
  source: string;
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

export const languages: Language[] = [
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
