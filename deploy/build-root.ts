// `npm run image:root`: runs the steps of deploy/Dockerfile without Docker, in roots that debootstrap makes.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runCommand, say } from '../tools/command.ts';
import { createIgnore, type Instruction, listContext, parseDockerfile, parseEnv } from './dockerfile.ts';

const usage = `Usage: npm run image:root -- [--from STAGE] FOLDER
Runs each step of deploy/Dockerfile in a chroot below FOLDER, and leaves the root of the image in FOLDER/image.
--from STAGE keeps the roots of the stages before STAGE, as an earlier run left them.
It needs root, debootstrap and about 10 GB. FOLDER/base is made once, and used again.
It replaces neither a build by Docker nor one for another architecture.`;

const repository = join(import.meta.dirname, '..');
/** Settings of this machine that the steps need to reach package registries. */
const networkSettings = [
  'NODE_EXTRA_CA_CERTS',
  'CARGO_HTTP_CAINFO',
  'SSL_CERT_FILE',
  'http_proxy',
  'https_proxy',
  'no_proxy',
];

/** What instructions set for the instructions after them. */
type State = { env: Record<string, string>; workdir: string; shell: string[] };
/** The folder of all roots, and the files that the build sees. */
type Place = { folder: string; context: readonly string[] };

const initial: State = {
  env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' },
  workdir: '/',
  shell: ['/bin/sh', '-c'],
};

function run(command: string, args: string[], env?: Record<string, string>): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...(env && { env }) });
  if (status !== 0) throw new Error(`${command} ended with ${status ?? error?.message}: ${args.join(' ')}`);
}

/** A Debian like that of the image, with the name servers and certificate authorities of this machine. */
function makeBase(base: string, image: string): void {
  if (!existsSync(join(base, 'etc/debian_version'))) {
    run('debootstrap', ['--variant=minbase', 'bookworm', base]);
    const archive = 'deb http://deb.debian.org/debian';
    const sources = [
      `${archive} bookworm`,
      `${archive} bookworm-updates`,
      `${archive}-security bookworm-security`,
    ];
    writeFileSync(join(base, 'etc/apt/sources.list'), sources.map((line) => `${line} main\n`).join(''));
    // Without it, dpkg waits for the disk after each file. The images of Debian have it too.
    writeFileSync(join(base, 'etc/dpkg/dpkg.cfg.d/speed'), 'force-unsafe-io\n');
    cpSync('/etc/resolv.conf', join(base, 'etc/resolv.conf'), { dereference: true });
    const authorities = 'usr/local/share/ca-certificates';
    if (existsSync(`/${authorities}`))
      cpSync(`/${authorities}`, join(base, authorities), { recursive: true });
  }
  const version = readFileSync(join(base, 'etc/debian_version'), 'utf8').trim();
  if (image !== `debian:${version}-slim`)
    say(`Note: the Dockerfile starts from ${image}; this root is Debian ${version}.`);
}

function copy(argument: string, workdir: string, root: string, { folder, context }: Place): void {
  const words = argument.split(' ');
  const stage = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
  const target = words.pop() ?? '';
  const destination = join(root, resolve(workdir, target));
  for (const source of words) {
    if (stage !== undefined) {
      const from = join(folder, stage, source);
      const isFolder = statSync(from).isDirectory();
      mkdirSync(isFolder || target.endsWith('/') ? destination : dirname(destination), { recursive: true });
      // Of a folder, its content is copied.
      run('cp', ['-a', isFolder ? `${from}/.` : from, destination]);
      continue;
    }
    const prefix = source === '.' ? '' : source;
    const files = context.filter(
      (path) => path === source || prefix === '' || (prefix.endsWith('/') && path.startsWith(prefix)),
    );
    if (files.length === 0) throw new Error(`COPY ${source}: .dockerignore leaves no such file.`);
    for (const path of files) {
      const name = path === source ? (path.split('/').at(-1) ?? path) : path.slice(prefix.length);
      cpSync(
        join(repository, path),
        target.endsWith('/') || prefix === '' ? join(destination, name) : destination,
      );
    }
  }
}

/** What an instruction sets for those after it. */
function follow({ keyword, argument }: Instruction, state: State): State {
  if (keyword === 'ENV') return { ...state, env: { ...state.env, ...parseEnv(argument, state.env) } };
  if (keyword === 'SHELL') return { ...state, shell: JSON.parse(argument) as string[] };
  return keyword === 'WORKDIR' ? { ...state, workdir: argument } : state;
}

function execute(instruction: Instruction, { env, workdir, shell }: State, root: string, place: Place): void {
  const { keyword, argument } = instruction;
  say(`\n${keyword} ${argument}`);
  if (keyword === 'WORKDIR') mkdirSync(join(root, argument), { recursive: true });
  if (keyword === 'COPY') copy(argument, workdir, root, place);
  if (keyword !== 'RUN') return;
  const network = Object.fromEntries(
    networkSettings.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  const inside = [
    'chroot',
    root,
    'sh',
    '-c',
    'cd "$1" && shift && exec "$@"',
    'sh',
    workdir,
    ...shell,
    argument,
  ];
  run('unshare', ['--mount', '--pid', '--fork', `--mount-proc=${root}/proc`, ...inside], {
    ...env,
    ...network,
  });
}

function buildAll(folder: string, first: string | undefined): void {
  const stages = parseDockerfile(readFileSync(join(import.meta.dirname, 'Dockerfile'), 'utf8'));
  const context = listContext(
    repository,
    createIgnore(readFileSync(join(repository, '.dockerignore'), 'utf8')),
  );
  const states = new Map<string, State>();
  let kept = first !== undefined;
  mkdirSync(folder, { recursive: true });
  for (const { name = 'image', from, instructions } of stages) {
    if (name === first) kept = false;
    const parent = states.get(from);
    if (parent === undefined) makeBase(join(folder, 'base'), from);
    const root = join(folder, name);
    say(`\nFROM ${from} AS ${name}${kept ? ' (kept)' : ''}`);
    if (!kept) {
      rmSync(root, { recursive: true, force: true });
      run('cp', ['-a', join(folder, parent === undefined ? 'base' : from), root]);
    }
    let state = parent ?? initial;
    for (const instruction of instructions) {
      if (!kept) execute(instruction, state, root, { folder, context });
      state = follow(instruction, state);
    }
    states.set(name, state);
  }
  if (kept)
    throw new Error(`deploy/Dockerfile has no stage ${first}. Its stages: ${[...states.keys()].join(', ')}.`);
  run('du', ['-sh', join(folder, 'image'), join(folder, 'image/app')]);
}

await runCommand(usage, { from: { type: 'string' } }, ({ from }, [folder]) => {
  if (folder === undefined) throw new Error('Name the FOLDER for the roots: npm run image:root -- FOLDER');
  buildAll(resolve(folder), from);
});
