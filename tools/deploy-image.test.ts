// The image runs Concord as the other files of deploy/ and npm start do. These tests need no Docker.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStartCommand } from '../bench/start-command.ts';
import { createIgnore, listContext, parseEnv } from '../deploy/dockerfile.ts';
import { bundle } from '../server/src/program/bundle.ts';
import {
  argumentOf,
  chart,
  compose,
  image,
  imageEnv,
  packageJson,
  read,
  root,
  stages,
  unitValues,
} from './deploy-files.ts';

describe('the image', () => {
  it('O50: runs as a numbered user, and writes to /tmp and /data alone', () => {
    expect(argumentOf('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    const [uid] = argumentOf('USER').split(':');
    expect(image.some(({ argument }) => argument.includes(`useradd --uid ${uid} `))).toBe(true);
    expect(JSON.parse(argumentOf('VOLUME'))).toEqual(['/data']);
    expect(imageEnv.CONCORD_DATA_DIR).toBe('/data');
    expect(imageEnv.NODE_COMPILE_CACHE).toMatch(/^\/tmp\//);
    expect(chart).toContain('readOnlyRootFilesystem: true');
    expect(chart).toContain(`runAsUser: ${uid}`);
    for (const path of ['/tmp', '/data']) expect(chart).toMatch(new RegExp(`mountPath: ${path} `));
    for (const name of ['api', 'worker'])
      expect(compose.services[name]).toMatchObject({
        read_only: true,
        tmpfs: [expect.stringMatching(/^\/tmp:/)],
      });
  });

  it('O54: the image and the unit have the Node options of npm start', () => {
    const { program, environment: start, nodeOptions: flags } = readStartCommand();
    expect(JSON.parse(argumentOf('ENTRYPOINT'))).toEqual(['node', ...flags, program]);
    expect(unitValues('ExecStart')).toEqual([
      `/opt/concord/node_modules/.bin/node ${flags.join(' ')} ${program}`,
    ]);
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
    const instructions = stages.flatMap((stage) => stage.instructions);
    const copied = instructions
      .filter(({ keyword, argument }) => keyword === 'COPY' && !argument.startsWith('--from='))
      .flatMap(({ argument }) => argument.split(' ').slice(0, -1));
    expect(copied.length).toBeGreaterThan(8);
    for (const source of copied) {
      const seen = context.some(
        (path) => source === '.' || path === source || (source.endsWith('/') && path.startsWith(source)),
      );
      expect(seen, source).toBe(true);
    }
    // What the service serves, as another stage built it.
    for (const built of ['server/dist/', 'console/dist/', 'packages/dist/'])
      expect(instructions.map(({ argument }) => argument)).toContain(`--from=build /app/${built} ${built}`);
    // With all sources of the bundle, the image runs it.
    for (const source of bundle.sources)
      expect(
        copied.some((path) => source === path || (path !== '.' && source.startsWith(path))),
        source,
      ).toBe(true);
    const lock = JSON.parse(read('package-lock.json'));
    const workspaces = Object.keys(lock.packages).filter(
      (path) => path !== '' && !path.includes('node_modules'),
    );
    expect(workspaces).toContain('packages/p384-signer');
    for (const workspace of workspaces) expect(copied).toContain(`${workspace}/package.json`);
  });

  it('O56: the build sees no secret, no test and nothing that was built before', () => {
    const hidden = [
      'data/secrets',
      'deploy/secrets/database-url',
      'server/test/contract/contract.ts',
      'server/src/program/config.test.ts',
      'packages/p384-signer/p384-signer.node',
      'packages/p384-signer/target/release/x',
      'console/dist/index.html',
      'server/dist/main.js',
      'packages/dist/packages.json',
      'node_modules/pg/package.json',
      '.git/config',
    ];
    for (const path of hidden) expect(ignore(path), path).toBe(true);
    for (const path of [
      'server/src/main.ts',
      '.npmrc',
      'LICENSE',
      'packages/p384-signer/prebuilt/linux-x64.node',
    ])
      expect(ignore(path), path).toBe(false);
  });

  it('O58: the image and the guide have the Node of package-lock.json, and one Debian', () => {
    expect(new Set(Object.values(packageJson.optionalDependencies)).size).toBe(1);
    for (const path of ['deploy/Dockerfile', 'docs/operating/install.md'])
      expect(read(path)).not.toMatch(/npm install --global|npm@|node-linux-.*@/);
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
