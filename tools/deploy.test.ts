// The files of deploy/ agree with the program that they run. These tests need no Docker, systemd or Helm.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createIgnore, listContext, parseDockerfile, parseEnv } from '../deploy/dockerfile.ts';
import { settings } from '../server/src/settings.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const scratch = mkdtempSync(join(tmpdir(), 'concord-deploy-test-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const packageJson = JSON.parse(read('package.json'));
const stages = parseDockerfile(read('deploy/Dockerfile'));
const image = stages.at(-1)!.instructions;
const argumentOf = (keyword: string) => image.find((instruction) => instruction.keyword === keyword)?.argument;
const imageEnv = parseEnv(argumentOf('ENV') ?? '', {});
const unit = read('deploy/concord.service');
const unitValues = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);

type Service = {
  image?: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  environment?: Record<string, string>;
  networks: string[];
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
  deploy?: { resources: { limits: Record<string, unknown> } };
};
const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
};
const chartValues = parse(read('deploy/helm/values.yaml'));
const chart = readdirSync(join(root, 'deploy/helm/templates'))
  .map((name) => read(`deploy/helm/templates/${name}`))
  .join('\n');

describe('the image', () => {
  it('O50: runs as a numbered user, and writes to /tmp and /data alone', () => {
    expect(argumentOf('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    const [uid] = argumentOf('USER')!.split(':');
    expect(image.some(({ argument }) => argument.includes(`useradd --uid ${uid} `))).toBe(true);
    expect(JSON.parse(argumentOf('VOLUME')!)).toEqual(['/data']);
    expect(imageEnv.CONCORD_DATA_DIR).toBe('/data');
    expect(imageEnv.NODE_COMPILE_CACHE).toMatch(/^\/tmp\//);
    expect(chart).toContain('readOnlyRootFilesystem: true');
    expect(chart).toContain(`runAsUser: ${uid}`);
    for (const path of ['/tmp', '/data']) expect(chart).toMatch(new RegExp(`mountPath: ${path} `));
    for (const name of ['api', 'worker'])
      expect(compose.services[name]).toMatchObject({ read_only: true, tmpfs: [expect.stringMatching(/^\/tmp:/)] });
  });

  it('O54: the image and the unit have the Node options of npm start', () => {
    const [, variables = '', options = '', program] = /^exec env ((?:\S+=\S+ )+)node ((?:--\S+ )*)(\S+)$/.exec(
      packageJson.scripts.start,
    )!;
    const start = Object.fromEntries(
      variables
        .trim()
        .split(' ')
        .map((pair) => pair.split('=')),
    );
    const flags = options.trim().split(' ');
    expect(JSON.parse(argumentOf('ENTRYPOINT')!)).toEqual(['node', ...flags, program]);
    expect(unitValues('ExecStart')).toEqual([`/opt/concord/node_modules/.bin/node ${flags.join(' ')} ${program}`]);
    const unitEnv = parseEnv(unitValues('Environment').join(' '), {});
    // Each has its own place for the cache.
    for (const env of [imageEnv, unitEnv]) {
      expect(Object.keys(env)).toEqual(expect.arrayContaining(Object.keys(start)));
      expect({ ...env, NODE_COMPILE_CACHE: start.NODE_COMPILE_CACHE }).toMatchObject(start);
    }
  });

  const ignore = createIgnore(read('.dockerignore'));
  const context = listContext(root, ignore);

  it('O56: the build sees what the Dockerfile copies, and each workspace', () => {
    const copied = stages
      .flatMap(({ instructions }) => instructions)
      .filter(({ keyword, argument }) => keyword === 'COPY' && !argument.startsWith('--from='))
      .flatMap(({ argument }) => argument.split(' ').slice(0, -1));
    expect(copied.length).toBeGreaterThan(8);
    for (const source of copied) {
      const seen = context.some((path) => source === '.' || path === source || (source.endsWith('/') && path.startsWith(source)));
      expect(seen, source).toBe(true);
    }
    const lock = JSON.parse(read('package-lock.json'));
    const workspaces = Object.keys(lock.packages).filter((path) => path !== '' && !path.includes('node_modules'));
    expect(workspaces).toContain('packages/p384-signer');
    for (const workspace of workspaces) expect(copied).toContain(`${workspace}/package.json`);
  });

  it('O56: the build sees no secret, no test and nothing that was built before', () => {
    const hidden = [
      'data/secrets',
      'deploy/secrets/database-url',
      'server/test/contract.ts',
      'server/src/config.test.ts',
      'packages/p384-signer/p384-signer.node',
      'packages/p384-signer/target/release/x',
      'console/dist/index.html',
      'node_modules/pg/package.json',
      '.git/config',
    ];
    for (const path of hidden) expect(ignore(path), path).toBe(true);
    for (const path of ['server/src/main.ts', '.npmrc', 'packages/p384-signer/rust/lib.rs'])
      expect(ignore(path), path).toBe(false);
  });

  it('O58: Node, npm and Debian have one version everywhere', () => {
    const node = new Set(Object.entries(packageJson.optionalDependencies).map(([, version]) => version));
    expect(node.size).toBe(1);
    const named = (path: string, pattern: RegExp) => [...read(path).matchAll(pattern)].map(([, version]) => version!);
    const places = ['deploy/Dockerfile', 'docs/operating.md'];
    expect(new Set(places.flatMap((path) => named(path, /node-linux-.*@(\d[\d.]+)"/g)))).toEqual(node);
    const npm = places.flatMap((path) => named(path, /npm@(\d[\d.]+)/g));
    expect(npm).toHaveLength(2);
    expect(new Set(npm).size).toBe(1);
    expect(packageJson.engines.npm).toBe(`>=${npm[0]!.split('.')[0]}`);
    const debians = new Set(stages.map(({ from }) => from).filter((from) => from.includes(':')));
    expect([...debians]).toEqual([expect.stringMatching(/^debian:\d+\.\d+-slim$/)]);
  });
});

describe('the health check', () => {
  async function check(port: number): Promise<{ code: number; complaint: string }> {
    const child = spawn(process.execPath, [join(root, 'deploy/health-check.ts')], {
      env: { ...process.env, PORT: String(port) },
    });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    const [code] = await once(child, 'close');
    return { code, complaint };
  }

  async function checkAgainst(listener: RequestListener) {
    const server = createServer(listener);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      return { ...(await check(port)), port };
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it('O51: exits with 0 when the service is ready', async () => {
    const paths: (string | undefined)[] = [];
    const { code, complaint } = await checkAgainst((request, response) => {
      paths.push(request.url);
      response.end('{"status":"ok"}');
    });
    expect({ code, complaint, paths }).toEqual({ code: 0, complaint: '', paths: ['/health/ready'] });
  });

  it('O51: exits with 1 and says why after an error, without an answer, and without a connection', async () => {
    const failing = await checkAgainst((_, response) => void response.writeHead(500).end());
    expect(failing).toMatchObject({ code: 1, complaint: expect.stringContaining('it answers 500') });
    const silent = await checkAgainst(() => {});
    expect(silent).toMatchObject({ code: 1, complaint: expect.stringContaining('timeout') });
    const absent = await check(failing.port);
    expect(absent).toMatchObject({ code: 1, complaint: expect.stringContaining('ECONNREFUSED') });
  });
});

describe('settings', () => {
  const known = settings as Record<string, { secret?: boolean }>;
  const dropIns = readdirSync(join(root, 'deploy/concord.service.d')).map((name) => read(`deploy/concord.service.d/${name}`));
  const chartNames = [...chart.matchAll(/name: (CONCORD_[A-Z_]+)/g)].map(([, name]) => name!);
  const chartSecrets = Object.keys(chartValues.secret.keys).map((name) => `${name}_FILE`);
  const unitNames = [unit, ...dropIns].flatMap((text) =>
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
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.cap_add ?? []).toEqual(name === 'caddy' ? ['NET_BIND_SERVICE'] : []);
    expect(Object.keys(service.deploy!.resources.limits).sort()).toEqual(['cpus', 'memory', 'pids']);
    expect(service.image).toMatch(/:(v?\d+\.\d+(\.\d+)?|local)$/);
    for (const { condition } of Object.values(service.depends_on ?? {})) expect(condition).toBe('service_healthy');
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

const longestStopSeconds = 8.5;

it('O55: compose, the unit and the chart wait for the end of a stop', () => {
  const waits = [
    ...unitValues('TimeoutStopSec'),
    ...['api', 'worker'].map((name) => compose.services[name]!.stop_grace_period!.replace(/s$/, '')),
    chartValues.terminationGracePeriodSeconds,
  ];
  expect(waits).toHaveLength(4);
  for (const seconds of waits) expect(Number(seconds)).toBeGreaterThan(longestStopSeconds);
  expect(unitValues('KillMode')).toEqual(['mixed']);
  expect(argumentOf('STOPSIGNAL')).toBe('SIGTERM');
});

describe('concord-command', () => {
  /** Programs of the system that concord-command calls: they print what they get. */
  function runCommand(args: string[], uid = '0') {
    const files = [
      unit,
      ...readdirSync(join(root, 'deploy/concord.service.d')).map((name) => read(`deploy/concord.service.d/${name}`)),
    ];
    writeFileSync(join(scratch, 'unit'), files.join('\n'));
    const programs = {
      id: `echo ${uid}`,
      systemctl: `[ "$1 $2" = 'cat concord.service' ] && cat '${join(scratch, 'unit')}'`,
      'systemd-run': `printf '%s\\n' "$@"`,
    };
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(join(scratch, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(scratch, name), 0o755);
    }
    const env = { ...process.env, PATH: `${scratch}:${process.env.PATH}` };
    const { status, stdout, stderr } = spawnSync(join(root, 'deploy/concord-command'), args, { env, encoding: 'utf8' });
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

  it('O57: lists the commands without one, has a --help, and refuses other users', () => {
    expect(runCommand([]).lines.slice(-2)).toEqual(['server/src/main.ts', '--help']);
    expect(runCommand(['--help']).stdout).toMatch(/^Usage: concord-command COMMAND/);
    expect(runCommand(['keys', 'list'], '1000')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('needs root'),
    });
  });

  it('O57: docs/operating.md installs files that exist', () => {
    const installed = [...read('docs/operating.md').matchAll(/\bdeploy\/[\w./-]*\w/g)].map(([path]) => path);
    expect(installed).toContain('deploy/concord-command');
    for (const path of installed) expect(existsSync(join(root, path)), path).toBe(true);
  });
});
