// `npm run image:root`: runs the steps of deploy/Dockerfile without Docker, in roots that debootstrap makes.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createIgnore, type Instruction, listContext, parseDockerfile, parseEnv, type Stage } from './dockerfile.ts';

const usage = `Usage: npm run image:root -- FOLDER
Runs each step of deploy/Dockerfile in a chroot below FOLDER, and leaves the root of the image in FOLDER/image.
It needs root, debootstrap and about 10 GB. FOLDER/base is made once, and used again.
It replaces neither a build by Docker nor one for another architecture.`;

const repository = join(import.meta.dirname, '..');
const say = (line: string) => void process.stdout.write(`${line}\n`);
/** Settings of this machine that the steps need to reach package registries. */
const networkSettings = ['NODE_EXTRA_CA_CERTS', 'CARGO_HTTP_CAINFO', 'SSL_CERT_FILE', 'http_proxy', 'https_proxy', 'no_proxy'];

/** What instructions set for the instructions after them. */
type State = { env: Record<string, string>; workdir: string; shell: string[] };
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
    const sources = ['bookworm', 'bookworm-updates'].map((suite) => `deb http://deb.debian.org/debian ${suite} main`);
    const security = 'deb http://deb.debian.org/debian-security bookworm-security main';
    run('sh', ['-c', `printf '%s\\n' "$@" > "${base}/etc/apt/sources.list"`, 'sh', ...sources, security]);
    cpSync('/etc/resolv.conf', join(base, 'etc/resolv.conf'), { dereference: true });
    const authorities = 'usr/local/share/ca-certificates';
    if (existsSync(`/${authorities}`)) cpSync(`/${authorities}`, join(base, authorities), { recursive: true });
  }
  const version = readFileSync(join(base, 'etc/debian_version'), 'utf8').trim();
  if (image !== `debian:${version}-slim`) say(`Note: the Dockerfile starts from ${image}; this root is Debian ${version}.`);
}

function copy({ argument }: Instruction, state: State, root: string, folder: string, context: readonly string[]): void {
  const words = argument.split(' ');
  const stage = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
  const target = words.pop() ?? '';
  const destination = join(root, resolve(state.workdir, target));
  for (const source of words) {
    if (stage !== undefined) {
      const toFolder = target.endsWith('/') && !source.endsWith('/');
      mkdirSync(target.endsWith('/') ? destination : dirname(destination), { recursive: true });
      run('cp', [
        '-a',
        join(folder, stage, source, ...(source.endsWith('/') ? ['.'] : [])),
        toFolder ? `${destination}/` : destination,
      ]);
      continue;
    }
    const prefix = source === '.' ? '' : source;
    const files = context.filter((path) => path === source || prefix === '' || (prefix.endsWith('/') && path.startsWith(prefix)));
    if (files.length === 0) throw new Error(`COPY ${source}: .dockerignore leaves no such file.`);
    for (const path of files) {
      const name = path === source ? (path.split('/').at(-1) ?? path) : path.slice(prefix.length);
      cpSync(join(repository, path), target.endsWith('/') || prefix === '' ? join(destination, name) : destination);
    }
  }
}

function build(stage: Stage, state: State, root: string, folder: string, context: readonly string[]): State {
  let { env, workdir, shell } = state;
  const network = Object.fromEntries(networkSettings.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  for (const instruction of stage.instructions) {
    const { keyword, argument } = instruction;
    say(`\n${keyword} ${argument}`);
    if (keyword === 'ENV') env = { ...env, ...parseEnv(argument, env) };
    else if (keyword === 'SHELL') shell = JSON.parse(argument) as string[];
    else if (keyword === 'WORKDIR') {
      workdir = argument;
      mkdirSync(join(root, workdir), { recursive: true });
    } else if (keyword === 'COPY') copy(instruction, { env, workdir, shell }, root, folder, context);
    else if (keyword === 'RUN') {
      const inside = ['chroot', root, 'sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', workdir, ...shell, argument];
      run('unshare', ['--mount', '--pid', '--fork', `--mount-proc=${root}/proc`, ...inside], { ...env, ...network });
    }
  }
  return { env, workdir, shell };
}

function buildAll(folder: string): void {
  const stages = parseDockerfile(readFileSync(join(import.meta.dirname, 'Dockerfile'), 'utf8'));
  const context = listContext(repository, createIgnore(readFileSync(join(repository, '.dockerignore'), 'utf8')));
  const states = new Map<string, State>();
  mkdirSync(folder, { recursive: true });
  for (const stage of stages) {
    const parent = states.get(stage.from);
    if (parent === undefined) makeBase(join(folder, 'base'), stage.from);
    const name = stage.name || 'image';
    const root = join(folder, name);
    say(`\nFROM ${stage.from} AS ${name}`);
    rmSync(root, { recursive: true, force: true });
    run('cp', ['-a', join(folder, parent === undefined ? 'base' : stage.from), root]);
    states.set(name, build(stage, parent ?? initial, root, folder, context));
  }
  run('du', ['-sh', join(folder, 'image'), join(folder, 'image/app')]);
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean', short: 'h' } } });
const [folder] = positionals;
if (values.help || folder === undefined) say(usage);
else {
  try {
    buildAll(resolve(folder));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
