// `npm run build:signer`: builds the native module of packages/p384-signer for this machine, or the modules of
// the repository, and checks them.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { builtFile, loadNativeSigner } from '../packages/p384-signer/src/index.ts';
import { runCommand, say } from './command.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'packages/p384-signer');
const manifest = join(folder, 'Cargo.toml');
const prebuilt = join(folder, 'prebuilt');

const usage = `Usage: npm run build:signer [-- --prebuilt | --compare]
Builds packages/p384-signer, which signs webhooks about eight times as fast as the crypto of Node. On Linux with x64 or arm64 and glibc
the repository has it already. Elsewhere this builds it for this machine, and the service loads it at its next start.
It needs cargo (Rust 1.88 or later) and a C compiler, downloads crates at the first build, and takes a minute or more.

  --prebuilt  builds the modules of the repository, with cargo-zigbuild and zig
  --compare   builds again what this machine can build, and compares it with the repository; what it lacks is printed as SKIPPED

packages/p384-signer/README.md says more.`;

const cargoIsMissing = `cargo is not installed. Install Rust 1.88 or later, for example from https://rustup.rs, and a C compiler.
Nothing else needs it: without the native module, Concord signs webhooks with the crypto of Node.`;

/** The platforms of the repository's modules, as Node and as Rust name them. glibc 2.17 is of 2012. */
const targets = {
  'linux-arm64': 'aarch64-unknown-linux-gnu',
  'linux-x64': 'x86_64-unknown-linux-gnu',
} as const;
type Platform = keyof typeof targets;
const platforms = Object.keys(targets) as Platform[];
const glibc = '2.17';

/** SHA-256, in hexadecimal. */
type Hashes = Record<'sources' | 'tools' | 'modules', Record<string, string>>;
const hashesFile = join(prebuilt, 'hashes.json');
const sources = ['Cargo.lock', 'Cargo.toml', 'build.rs', 'rust/lib.rs'];
const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Builds with the versions of Cargo.lock. Resolves to the path of the library, which cargo says. */
async function runCargo(command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const args = ['--release', '--locked', '--message-format', 'json-render-diagnostics'];
  const cargo = spawn('cargo', [...command, ...args, '--manifest-path', manifest], {
    // Otherwise the crate would link an AWS-LC of the system, in whatever version that is.
    env: { AWS_LC_SYS_USE_SYSTEM: '0', ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    cargo.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new Error(cargoIsMissing) : error),
    );
    cargo.on('close', resolve);
  });
  let library: string | undefined;
  createInterface({ input: cargo.stdout }).on('line', (line) => {
    const { reason, target, filenames } = JSON.parse(line);
    if (reason === 'compiler-artifact' && target.name === 'p384_signer') library = filenames[0];
  });
  const code = await ended;
  if (code !== 0 || library === undefined)
    throw new Error(`cargo ended with ${code}; its message is above. The service works without the module.`);
  return library;
}

/** The library holds no path of this machine, so the same tools make the same bytes anywhere. */
async function buildPrebuilt(platform: Platform): Promise<string> {
  const registry = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry/src');
  const paths = [...readdirSync(registry).map((name) => [join(registry, name), 'crates']), [folder, '.']];
  const map = (option: string) => paths.map(([from, to]) => `${option}=${from}=${to}`).join(' ');
  return runCargo(['zigbuild', '--target', `${targets[platform]}.${glibc}`], {
    RUSTFLAGS: map('--remap-path-prefix'),
    CFLAGS: map('-ffile-prefix-map'),
  });
}

function versionOf(program: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Undefined: this machine lacks one. zig stands in the path, or is a module of Python (`pip install ziglang`). */
function readTools(): Record<string, string> | undefined {
  const tools = {
    rustc: versionOf('rustc', '--version'),
    'cargo-zigbuild': versionOf('cargo-zigbuild', '--version'),
    zig: versionOf('zig', 'version') ?? versionOf('python3', '-m', 'ziglang', 'version'),
  };
  return Object.values(tools).includes(undefined) ? undefined : (tools as Record<string, string>);
}

async function buildHere(): Promise<void> {
  // A running service has the old file in its memory: a new file takes its name, and the bytes of the old one
  // stay as they are.
  const next = `${builtFile.replace(/\.node$/, '')}.${process.pid}.node`;
  copyFileSync(await runCargo(['build']), next);
  try {
    await loadNativeSigner(next);
    renameSync(next, builtFile);
  } finally {
    rmSync(next, { force: true });
  }
  say(
    `Built ${relative(root, builtFile)} (${(statSync(builtFile).size / 1e6).toFixed(1)} MB). node:crypto verifies its signatures.`,
  );
  say('The service uses it from its next start on.');
}

async function buildAllPrebuilt(): Promise<void> {
  const tools = readTools();
  if (tools === undefined)
    throw new Error(
      `This needs cargo-zigbuild and zig: cargo install cargo-zigbuild, pip install ziglang, rustup target add ${Object.values(targets).join(' ')}`,
    );
  fetchCrates();
  mkdirSync(prebuilt, { recursive: true });
  const hashes: Hashes = { sources: {}, tools, modules: {} };
  for (const name of sources) hashes.sources[name] = hashOf(join(folder, name));
  for (const platform of platforms) {
    const file = join(prebuilt, `${platform}.node`);
    copyFileSync(await buildPrebuilt(platform), file);
    hashes.modules[platform] = hashOf(file);
    say(`Built ${relative(root, file)} (${(statSync(file).size / 1e6).toFixed(1)} MB).`);
  }
  writeFileSync(hashesFile, `${JSON.stringify(hashes, null, 2)}\n`);
}

function fetchCrates(): void {
  const { status } = spawnSync('cargo', ['fetch', '--locked', '--quiet', '--manifest-path', manifest], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('cargo could not get the crates; its message is above.');
}

/**
 * With the tools that built the repository's modules the bytes are the same. Otherwise only what a module does can be
 * compared.
 */
async function compare(): Promise<void> {
  const skip = (why: string) => say(`SKIPPED, NOT COMPARED: the native signer. ${why}`);
  if (versionOf('cargo', '--version') === undefined) return skip('cargo is not installed.');
  try {
    fetchCrates();
  } catch (error) {
    return skip((error as Error).message);
  }
  const hashes: Hashes = JSON.parse(readFileSync(hashesFile, 'utf8'));
  const tools = readTools();
  if (tools !== undefined && JSON.stringify(tools) === JSON.stringify(hashes.tools)) {
    for (const platform of platforms) {
      const built = hashOf(await buildPrebuilt(platform));
      if (built !== hashes.modules[platform])
        throw new Error(
          `${platform}: this build differs from the repository's: npm run build:signer -- --prebuilt`,
        );
      say(`${platform}: this build has the same bytes as the repository's.`);
    }
    return;
  }
  say(`The bytes cannot be compared: they need ${Object.values(hashes.tools).join(', zig ')}.`);
  const here = join(prebuilt, `${process.platform}-${process.arch}.node`);
  if (!existsSync(here)) return skip('The repository has no module for this platform.');
  const library = `${await runCargo(['build'])}.node`;
  copyFileSync(library.slice(0, -'.node'.length), library);
  const exportsOf = (file: string) => {
    const module: { P384Signer: { prototype: object } } = createRequire(import.meta.url)(file);
    return JSON.stringify([Object.keys(module), Object.getOwnPropertyNames(module.P384Signer.prototype)]);
  };
  await loadNativeSigner(library);
  await loadNativeSigner(here);
  if (exportsOf(library) !== exportsOf(here))
    throw new Error('The source exports something else than the module: npm run build:signer -- --prebuilt');
  say('The source builds, exports what the module of the repository exports, and node:crypto verifies both.');
}

const options = { prebuilt: { type: 'boolean' }, compare: { type: 'boolean' } } as const;
await runCommand(usage, options, async (values) => {
  if (values.prebuilt) await buildAllPrebuilt();
  else if (values.compare) await compare();
  else await buildHere();
});
