// Compose, the systemd unit and the chart agree with the program that they run. These tests need no Docker,
// systemd or Helm.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseEnv } from '../deploy/dockerfile.ts';
import { entityTag } from '../server/src/base/http/entity-tag.ts';
import { readConfig } from '../server/src/program/config.ts';
import { settings } from '../server/src/program/settings.ts';
import {
  argumentOf,
  chart,
  chartValues,
  compose,
  imageEnv,
  read,
  root,
  unitFiles,
  unitValues,
} from './deploy-files.ts';

describe('settings', () => {
  const known = settings as Record<string, { secret?: boolean }>;
  const chartNames = [...chart.matchAll(/name: (CONCORD_[A-Z_]+)/g)].map(([, name]) => name!);
  const chartSecrets = Object.keys(chartValues.secret.keys).map((name) => `${name}_FILE`);
  const unitNames = unitFiles.flatMap((text) =>
    [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) => Object.keys(parseEnv(line!, {}))),
  );
  const composeNames = ['api', 'worker'].flatMap((name) => Object.keys(compose.services[name]!.environment!));
  const ofNode = ['PATH', 'NODE_COMPILE_CACHE', 'UV_THREADPOOL_SIZE'];

  const named: [string, string[]][] = [
    ['the image', Object.keys(imageEnv)],
    ['compose', composeNames],
    ['the unit', unitNames],
    ['the chart', [...chartNames, ...chartSecrets]],
  ];

  it.each(named)('O52: the settings of %s exist, and secrets are files', (_, names) => {
    const ours = names.filter((name) => !ofNode.includes(name));
    expect(ours.length).toBeGreaterThan(2);
    for (const name of ours) {
      const setting = known[name.replace(/_FILE$/, '')];
      expect(setting, name).toBeDefined();
      expect(name.endsWith('_FILE'), name).toBe(setting?.secret === true);
    }
  });
});

describe('compose', () => {
  it.each(Object.keys(compose.services))('O53: %s is hardened, limited and pinned', (name) => {
    const service = compose.services[name]!;
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(service.cap_add ?? []).toEqual(name === 'caddy' ? ['NET_BIND_SERVICE'] : []);
    expect(Object.keys(service.deploy!.resources.limits).sort()).toEqual(['cpus', 'memory', 'pids']);
    expect(service.image).toMatch(/:(v?\d+\.\d+(\.\d+)?|local)$/);
    for (const { condition } of Object.values(service.depends_on ?? {}))
      expect(condition).toBe('service_healthy');
  });

  it('O53: the database and the mail server are on networks that lead nowhere else', () => {
    expect(compose.services.database!.networks).toEqual(['database']);
    expect(compose.networks.database).toEqual({ internal: true });
    expect(compose.networks.mail).toEqual({ internal: true });
    expect(
      Object.entries(compose.services)
        .filter(([, { networks }]) => networks.includes('database'))
        .map(([name]) => name),
    ).toEqual(['api', 'worker', 'database']);
  });
});

describe('metrics', () => {
  type Job = {
    job_name: string;
    static_configs?: { targets: string[] }[];
    dns_sd_configs?: { names: string[]; port: number }[];
  };
  const jobsOf = (path: string) =>
    (parse(read(path)) as { rule_files: string[]; scrape_configs: Job[] }).scrape_configs;
  const [unitPort] = unitValues('Environment').flatMap(
    (line) => parseEnv(line, {}).CONCORD_METRICS_PORT ?? [],
  );

  it('O59: the unit serves them to this machine, where Prometheus reads them', () => {
    expect(settings.CONCORD_METRICS_HOST.default).toBe('127.0.0.1');
    expect(unitFiles.join('\n')).not.toContain('CONCORD_METRICS_HOST');
    const targets = [{ targets: [`127.0.0.1:${unitPort}`] }];
    expect(jobsOf('deploy/prometheus.yaml')).toEqual([{ job_name: 'concord', static_configs: targets }]);
    expect(read('deploy/grafana/alerts.yaml')).toContain('up{job="concord"}');
  });

  it('O59: compose serves them on an internal network, where Prometheus finds each container', () => {
    const { api, worker, prometheus } = compose.services;
    for (const service of [api!, worker!]) {
      expect(service.environment).toMatchObject({
        CONCORD_METRICS_HOST: '0.0.0.0',
        CONCORD_METRICS_PORT: unitPort,
      });
      expect(service.networks).toContain('metrics');
      expect(service.ports).toBeUndefined();
    }
    expect(compose.networks.metrics).toEqual({ internal: true });
    expect(prometheus).toMatchObject({
      profiles: ['metrics'],
      networks: expect.arrayContaining(['metrics']),
    });
    for (const { ports = [] } of Object.values(compose.services))
      expect(ports.join(' ')).not.toContain(unitPort);
    const found = [{ names: ['api', 'worker'], port: Number(unitPort), type: 'A' }];
    expect(jobsOf('deploy/prometheus-compose.yaml')).toMatchObject([
      { job_name: 'concord', dns_sd_configs: found },
    ]);
  });

  it('O59: the chart serves them where its values say so, and its Service has no port for them', () => {
    expect(chartValues.metrics).toMatchObject({ enabled: false, port: Number(unitPort) });
    expect(chart).toContain('{ name: CONCORD_METRICS_PORT, value: {{ $values.metrics.port | quote }} }');
    expect(read('deploy/helm/templates/service.yaml')).not.toMatch(/metrics|9464/);
  });

  it('O59: the chart stops a pod after a new one is ready', () => {
    expect(chartValues.updateStrategy).toBe('RollingUpdate');
    expect(chart).toMatch(
      /eq \$values.updateStrategy "RollingUpdate" }}\n +rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }/,
    );
  });
});

it('C1: Caddy passes on the tags of Concord, without the codings that it adds to them', () => {
  const caddyfile = read('deploy/Caddyfile');
  const codings = /^\tencode (.*)$/m.exec(caddyfile)![1]!.split(' ');
  const [, find, replacement] = /^\trequest_header If-Match `(.*)` `(.*)`$/m.exec(caddyfile) ?? [];
  const tag = entityTag('{}');
  for (const coding of codings) {
    const marked = `"other", ${tag.slice(0, -1)}-${coding}"`;
    expect(marked.replaceAll(new RegExp(find!, 'g'), replacement!)).toBe(`"other", ${tag}`);
  }
});

const longestStopSeconds = 8.5;
/** While the embedded database hangs. */
const longestUnitStopSeconds = 27;

it('O55: compose, the unit and the chart wait for the end of a stop', () => {
  const waits = [
    ...unitValues('TimeoutStopSec'),
    ...['api', 'worker'].map((name) => compose.services[name]!.stop_grace_period!.replace(/s$/, '')),
    chartValues.terminationGracePeriodSeconds,
  ];
  expect(waits).toHaveLength(4);
  for (const seconds of waits) expect(Number(seconds)).toBeGreaterThan(longestStopSeconds);
  expect(Number(unitValues('TimeoutStopSec')[0])).toBeGreaterThan(longestUnitStopSeconds);
  expect(unitValues('KillMode')).toEqual(['mixed']);
  expect(argumentOf('STOPSIGNAL')).toBe('SIGTERM');
});

it('O72: the listener of a pod stays open while the load balancer learns of its stop', () => {
  const [, delay] =
    /eq \.role "api" }}\n +#.*\n +lifecycle: { preStop: { exec: { command: \[sleep, '(\d+)'\] } } }/.exec(
      chart,
    ) ?? [];
  expect(Number(delay)).toBeGreaterThanOrEqual(5);
  const least = JSON.parse(read('deploy/helm/values.schema.json')).properties.terminationGracePeriodSeconds
    .minimum;
  expect(least).toBeGreaterThan(longestStopSeconds + Number(delay));
});

it('O72: the unit goes on when the system kills a worker or a connection of the database for memory', () => {
  expect(unitValues('OOMPolicy')).toEqual(['continue']);
});

it('O13: the unit keeps the line of each request, and the errors among them', () => {
  // systemd 252 takes 0 for its default.
  const perSecond =
    Number(unitValues('LogRateLimitBurst')[0]) / Number(unitValues('LogRateLimitIntervalSec')[0]);
  expect(perSecond).toBeGreaterThan(50_000);
  expect(Number.isFinite(perSecond)).toBe(true);
});

it('O72: Helm and the guide say that mails are lost without a mail server, and what was not tested', () => {
  expect(read('deploy/helm/templates/NOTES.txt')).toMatch(
    /{{- if not \(or \.Values\.secret\.keys\.CONCORD_SMTP_URL \.Values\.settings\.CONCORD_SMTP_URL\) }}\nWARNING: NO MAIL IS SENT/,
  );
  expect(read('deploy/helm/templates/NOTES.txt')).toContain('No test ran the image in Kubernetes');
  expect(read('docs/operating/install.md')).toContain('No test ran the image in Kubernetes');
});

const scratch = mkdtempSync(join(tmpdir(), 'concord-deploy-test-'));
afterAll(() => rmSync(scratch, { recursive: true }));

describe('concord-command', () => {
  /** Programs of the system that concord-command calls: they print what they get. */
  function runCommand(args: string[], uid = '0', exit = 0) {
    writeFileSync(join(scratch, 'unit'), unitFiles.join('\n'));
    const programs = {
      id: `echo ${uid}`,
      systemctl: `[ "$1 $2" = 'cat concord.service' ] && cat '${join(scratch, 'unit')}'`,
      'systemd-run': `printf '%s\\n' "$@"; exit ${exit}`,
    };
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(join(scratch, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(scratch, name), 0o755);
    }
    const env = { ...process.env, PATH: `${scratch}:${process.env.PATH}` };
    const { status, stdout, stderr } = spawnSync(join(root, 'deploy/concord-command'), args, {
      env,
      encoding: 'utf8',
    });
    return { status, stderr, lines: stdout.split('\n').slice(0, -1), stdout };
  }

  it('O57: passes on the user, the settings and the secrets of the unit and its drop-ins', () => {
    const { status, lines } = runCommand(['operator', 'create', '--email', 'two words']);
    expect(status).toBe(0);
    const end = lines.indexOf('--');
    expect(lines.slice(end)).toEqual([
      '--',
      '/opt/concord/node_modules/.bin/node',
      'server/src/main.ts',
      'operator',
      'create',
      '--email',
      'two words',
    ]);
    const options = lines.slice(0, end);
    const name = options.find((line) => line.startsWith('--unit='))!.slice('--unit='.length);
    for (const secret of ['CONCORD_SECRETS', 'DATABASE_URL', 'CONCORD_SMTP_URL']) {
      expect(options).toContain(`--property=LoadCredential=${secret}:/etc/concord/${secret}`);
      expect(options).toContain(`--setenv=${secret}_FILE=/run/credentials/${name}/${secret}`);
    }
    expect(options).toEqual(
      expect.arrayContaining([
        '--property=User=concord',
        '--property=WorkingDirectory=/opt/concord',
        '--property=EnvironmentFile=-/etc/concord/concord.env',
        '--setenv=CONCORD_DATA_DIR=/var/lib/concord',
        '--setenv=UV_THREADPOOL_SIZE=16',
        '--property=JoinsNamespaceOf=concord.service',
      ]),
    );
  });

  it('O57: has the exit code of the command, and says when systemd could not start it', () => {
    expect(runCommand(['doctor'], '0', 1)).toMatchObject({ status: 1, stderr: '' });
    // A file of LoadCredential is missing.
    expect(runCommand(['doctor'], '0', 243)).toMatchObject({
      status: 243,
      stderr: expect.stringMatching(/journalctl --unit concord-command-\d+\.service/),
    });
  });

  it('O57: the backup unit reaches the database of the service', () => {
    const backup = read('deploy/concord-backup.service').split('\n');
    for (const name of ['User', 'Group', 'WorkingDirectory', 'EnvironmentFile'])
      expect(backup).toContain(`${name}=${unitValues(name)[0]}`);
    expect(backup).toContain('Environment=CONCORD_DATA_DIR=/var/lib/concord');
    expect(unitValues('Environment')).toContain('CONCORD_DATA_DIR=/var/lib/concord');
    for (const line of ['JoinsNamespaceOf=concord.service', 'PrivateTmp=yes']) expect(backup).toContain(line);
    expect(backup.filter((line) => /^(ProtectProc|ProcSubset)=/.test(line))).toEqual([]);
  });

  it('O57: the backup unit needs no identity provider, wherever its secret is', () => {
    const names = Object.keys(settings).filter((name) => /_(CLIENT_ID|ISSUER)$/.test(name));
    const secrets = Object.keys(settings).filter((name) => name.endsWith('_CLIENT_SECRET'));
    const lines = read('deploy/concord-backup.service').matchAll(/^UnsetEnvironment=(.*)$/gm);
    const unset = [...lines].flatMap(([, line = '']) => line.split(' '));
    for (const more of [[], secrets, secrets.map((name) => `${name}_FILE`)]) {
      const given = [...names, ...more].filter((name) => !unset.includes(name));
      const environment = Object.fromEntries(given.map((name) => [name, 'https://provider.example.com']));
      expect(readConfig(environment).warnings).toEqual([]);
    }
  });

  it('O71: the backup unit deletes what killed backups have left, and no backup that is being written', () => {
    const [, script = ''] =
      /^ExecStart=\/bin\/sh -euc '(.*?)'$/ms.exec(read('deploy/concord-backup.service')) ?? [];
    const folder = join(scratch, 'backups');
    mkdirSync(folder);
    // The program of the unit: it writes the file that it is told to.
    const program = join(scratch, 'program');
    writeFileSync(program, '#!/bin/sh\n[ "$3" = --verify ] || : > "$4"\n[ -f "$4" ]\n');
    chmodSync(program, 0o755);
    const hoursOld = {
      'concord-1.backup.partial': 2,
      'concord-2.backup.partial': 0,
      'concord-3.backup': 15 * 24,
      'other.partial': 99,
    };
    for (const [name, hours] of Object.entries(hoursOld)) {
      writeFileSync(join(folder, name), '');
      const time = new Date(Date.now() - hours * 3_600_000);
      utimesSync(join(folder, name), time, time);
    }
    const text = script
      .replaceAll('\\\n', '')
      .replaceAll(/([$%])\1/g, '$1')
      .replaceAll('/var/backups/concord', folder)
      .replace('/opt/concord/node_modules/.bin/node', program);
    expect(spawnSync('sh', ['-euc', text], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(folder).sort()).toEqual([
      'concord-2.backup.partial',
      expect.stringMatching(/^concord-\d{8}T\d{6}Z\.backup$/),
      'other.partial',
    ]);
  });

  it('O57: lists the commands without one, has a --help, and refuses other users', () => {
    expect(runCommand([]).lines.slice(-2)).toEqual(['server/src/main.ts', '--help']);
    expect(runCommand(['--help']).stdout).toMatch(/^Usage: concord-command COMMAND/);
    expect(runCommand(['keys', 'list'], '1000')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('needs root'),
    });
  });

  it('O57: docs/operating/install.md installs files that exist', () => {
    const installed = [...read('docs/operating/install.md').matchAll(/\bdeploy\/[\w./-]*\w/g)].map(
      ([path]) => path,
    );
    expect(installed).toContain('deploy/concord-command');
    // The guide makes its secrets.
    for (const path of installed.filter((each) => !each.startsWith('deploy/secrets')))
      expect(existsSync(join(root, path)), path).toBe(true);
  });
});
