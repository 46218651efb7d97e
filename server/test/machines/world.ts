// Two APIs, three workers, a primary and a replica, each on a host of its own. The database has one address,
// which can be switched.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { kill, launchProgram } from '../stage/launch.ts';
import { startReceiver } from '../stage/receiver.ts';
import { startRelay } from '../stage/relay.ts';
import { createClient, secrets } from '../stage/start-service.ts';
import { createServers, follow, type Server, slot, superuser } from './databases.ts';
import { createHosts, type Host } from './hosts.ts';

const email = 'operator@concord.test';
const password = 'a password for the machines';
/** More than one publisher asks for. */
export const requestWindow = { requests: 300, seconds: 30 };

export type World = Awaited<ReturnType<typeof startWorld>>;

/** What the end of the test calls, the last first. */
export type CleanUps = (() => Promise<void> | void)[];

/** `isSynchronous`: a commit waits until the replica has it. */
export async function startWorld({ isSynchronous, undo }: { isSynchronous: boolean; undo: CleanUps }) {
  const hosts = await createHosts();
  process.stdout.write(`Hosts: ${hosts.form}\n`);
  undo.push(() => hosts.close());
  const servers = createServers();
  undo.push(() => servers.remove());
  const dataDir = mkdtempSync(join(tmpdir(), 'concord-machines-data-'));
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const relay = await startRelay(hosts.address);
  undo.push(() => relay.close());

  const [primaryHost, replicaHost] = [await hosts.newHost(), await hosts.newHost()];
  const primarySettings: Record<string, string> = isSynchronous ? { synchronous_standby_names: slot } : {};
  const primary = await startServer(primaryHost, await servers.createCluster(), primarySettings);
  const replica = await startReplica(replicaHost, primary);
  // It waits until the replica has it.
  await primary.sql('create database concord');
  relay.to(primary.url);

  async function startServer(host: Host, data: string, settings: Record<string, string> = {}) {
    const server = await servers.start(host, data, settings);
    undo.push(() => server.stop());
    return server;
  }

  async function startReplica(host: Host, from: Server) {
    const data = await servers.copyCluster(from);
    return startServer(host, data, await follow(host, from));
  }

  const database = { primary, replica };
  const databaseUrl = `postgres://${superuser}@${hosts.address}:${relay.port}/concord`;
  const start = (name: string, role: 'api' | 'worker', host: Host, port: number, route: string) => {
    const environment = {
      HOST: host.address,
      PORT: String(port),
      CONCORD_ROLE: role,
      DATABASE_URL: route,
      CONCORD_BASE_URL: 'http://concord.test',
      CONCORD_DATA_DIR: join(dataDir, name),
      CONCORD_SECRETS: secrets,
      CONCORD_OPERATOR_EMAIL: email,
      CONCORD_OPERATOR_PASSWORD: password,
      CONCORD_WEBHOOK_ALLOW_HTTP: 'true',
      CONCORD_WEBHOOK_ALLOWED_CIDRS: `${hosts.address}/32`,
      CONCORD_RATE_LIMIT: `${requestWindow.requests}/${requestWindow.seconds}s`,
      CONCORD_RATE_LIMIT_STORE: 'postgres',
    };
    return launchProgram(environment, [], { onHost: (command) => host.command(command) });
  };

  async function newInstance(name: string, role: 'api' | 'worker') {
    const host = await hosts.newHost();
    const port = await host.freePort();
    const route = await host.route(`${databaseUrl}?application_name=${name}`);
    let program = start(name, role, host, port, route);
    const url = await program.ready();
    const client = createClient(url);
    const instance = {
      name,
      host,
      url,
      request: client.request,
      kill: () => kill(program.child),
      async restart() {
        program = start(name, role, host, port, route);
        await program.ready();
      },
    };
    undo.push(client.close, instance.kill);
    return instance;
  }

  const [first, second] = [await newInstance('api-1', 'api'), await newInstance('api-2', 'api')];
  // One after the other: the status tells them apart by their start.
  const workers = [];
  for (const name of ['worker-1', 'worker-2', 'worker-3']) workers.push(await newInstance(name, 'worker'));
  const receiver = await startReceiver(second.url, { host: hosts.address });
  undo.push(() => receiver.close());

  async function signIn(): Promise<string> {
    const { status, body } = await second.request('POST', '/api/auth/sign-in/email', {
      body: { email, password },
    });
    if (status !== 200) throw new Error(`The sign-in answered ${status}`);
    return body.token;
  }

  return {
    apis: [first, second] as const,
    workers,
    instances: [first, second, ...workers],
    receiver,
    relay,
    signIn,
    /** Tests put the servers here that have these parts by then. */
    database,
    /** A new copy of the primary follows it, on the host that has no server any more. */
    async replaceReplica() {
      const host = database.primary.host === primaryHost ? replicaHost : primaryHost;
      database.replica = await startReplica(host, database.primary);
    },
    /** The replica starts again with the data that it has. */
    async restartReplica() {
      const { host, data } = database.replica;
      database.replica = await startServer(host, data, await follow(host, database.primary));
    },
    operatorToken: await signIn(),
    /** A statement at the address of the database. */
    async sql(text: string, values?: unknown[]) {
      const client = new Client({ connectionString: databaseUrl, application_name: 'the test' });
      client.on('error', () => {});
      await client.connect();
      try {
        return (await client.query(text, values)).rows;
      } finally {
        await client.end();
      }
    },
  };
}
