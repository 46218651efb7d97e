// Hosts as network namespaces, each with a cable to a switch. The test has a cable too, and is the only way
// out.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { kill } from '../stage/launch.ts';
import { asServerAccount, type Host, type Hosts } from './hosts.ts';

const run = promisify(execFile);
const network = `10.203.${process.pid % 256}`;
/** Each host runs one server. */
const port = 7000;

/**
 * Everything that a test starts ends with the test, also when that is killed. A namespace ends with its last
 * process.
 */
const untilWeEnd = ['setpriv', '--pdeathsig', 'KILL'];

export const namespacesWork = async () =>
  run('setpriv', [
    '--pdeathsig',
    'KILL',
    'unshare',
    '--net',
    'ip',
    'link',
    'add',
    'probe',
    'type',
    'bridge',
  ]).then(
    () => true,
    () => false,
  );

async function createNamespace() {
  const [file = '', ...args] = [
    ...untilWeEnd,
    'unshare',
    '--net',
    'sh',
    '-c',
    'echo made; exec sleep infinity',
  ];
  const holder: ChildProcess = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (holder.stdout) await once(holder.stdout, 'data');
  const inside = ['nsenter', '--target', String(holder.pid), '--net'];
  const ip = (...words: string[]) => run('nsenter', [...inside.slice(1), 'ip', ...words]);
  await ip('link', 'set', 'lo', 'up');
  return { pid: String(holder.pid), inside, ip, end: () => kill(holder) };
}

export async function createNamespaces(): Promise<Hosts> {
  const gate = await createNamespace();
  const all = [gate];
  const ours = `concord${process.pid}`;
  await run('ip', ['link', 'add', ours, 'type', 'veth', 'peer', 'name', 'test', 'netns', gate.pid]);
  await run('ip', ['address', 'add', `${network}.1/24`, 'dev', ours]);
  await run('ip', ['link', 'set', ours, 'up']);
  await gate.ip('link', 'add', 'switch', 'type', 'bridge');
  await gate.ip('link', 'set', 'switch', 'up');
  await gate.ip('link', 'set', 'test', 'master', 'switch', 'up');

  async function newHost(): Promise<Host> {
    const namespace = await createNamespace();
    const number = all.push(namespace) + 8;
    const cable = `cable${number}`;
    const address = `${network}.${number}`;
    await gate.ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace.pid);
    await gate.ip('link', 'set', cable, 'master', 'switch', 'up');
    await namespace.ip('address', 'add', `${address}/24`, 'dev', 'eth0');
    await namespace.ip('link', 'set', 'eth0', 'up');
    return {
      address,
      freePort: async () => port,
      command: (command, asServer = false) => [
        ...namespace.inside,
        ...(asServer ? asServerAccount : []),
        ...untilWeEnd,
        ...command,
      ],
      route: async (url) => url,
      setLink: async (state) => void (await gate.ip('link', 'set', cable, state)),
    };
  }

  return {
    form: 'network namespaces',
    address: `${network}.1`,
    newHost,
    async close() {
      for (const namespace of all) await namespace.end();
    },
  };
}
