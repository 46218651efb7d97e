// `npm run build:signer`: builds the native module of packages/p384-signer, checks it, and puts it where the
// service loads it.
import { spawn } from 'node:child_process';
import { copyFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { builtFile, loadNativeSigner } from '../packages/p384-signer/src/index.ts';

const root = join(import.meta.dirname, '..');
const say = (line: string) => void process.stdout.write(`${line}\n`);

const usage = `Usage: npm run build:signer
Builds packages/p384-signer, which signs webhooks about eight times as fast as the crypto of Node. The service loads it at its next start.
It needs cargo (Rust 1.88 or later) and a C compiler, downloads crates at the first build, and takes a minute or more.
packages/p384-signer/README.md says more.`;

const cargoIsMissing = `cargo is not installed. Install Rust 1.88 or later, for example from https://rustup.rs, and a C compiler.
Nothing else needs it: without the native module, Concord signs webhooks with the crypto of Node.`;

/**
 * Builds with the versions of Cargo.lock. Resolves to the path of the library: the settings of cargo decide
 * where it is.
 */
async function runCargo(): Promise<string> {
  const manifest = join(root, 'packages/p384-signer/Cargo.toml');
  const args = [
    'build',
    '--release',
    '--locked',
    '--message-format',
    'json-render-diagnostics',
    '--manifest-path',
    manifest,
  ];
  // Otherwise the crate would link an AWS-LC of the system, in whatever version that is.
  const env = { AWS_LC_SYS_USE_SYSTEM: '0', ...process.env };
  const cargo = spawn('cargo', args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
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

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  say(usage);
  process.exit();
}
try {
  // A running service has the old file in its memory: a new file takes its name, and the bytes of the old one
  // stay as they are.
  const next = `${builtFile.replace(/\.node$/, '')}.${process.pid}.node`;
  copyFileSync(await runCargo(), next);
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
} catch (error) {
  const { message, cause } = error as Error;
  process.stderr.write(`${message}${cause instanceof Error ? ` (${cause.message})` : ''}\n`);
  process.exitCode = 1;
}
