#!/usr/bin/env node
// The entry point: the process, its streams and its signals.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { exits } from './exits.ts';
import { runProgram } from './program.ts';

/** Set by tools/packages. */
declare const concordVersion: string | undefined;
const version = typeof concordVersion === 'undefined' ? 'source' : concordVersion;

// `AbortSignal.any` came with Node 20.3.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 3)) {
  process.stderr.write(`concord: Node ${process.versions.node} is too old. Use Node 20.3 or later.\n`);
  process.exit(exits.usage.code);
}

// Certificates are always verified.
if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.stderr.write('concord: NODE_TLS_REJECT_UNAUTHORIZED is ignored. Use NODE_EXTRA_CA_CERTS.\n');
}

const ending = new AbortController();
/** As after SIGPIPE: the reader has left, as in `concord events tail | head`. */
let endCode = 141;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    // Somebody does not want to wait for the end.
    if (ending.signal.aborted) process.exit(endCode);
    endCode = 128 + constants.signals[signal];
    ending.abort();
  });

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return ending.abort();
    // Such as of a full disk. stderr can be on it too.
    if (stream === process.stdout)
      process.stderr.write(`concord: stdout cannot be written: ${error.message}\n`);
    process.exit(exits.usage.code);
  });

const isTerminal = process.stdout.isTTY === true;
const code = await runProgram(
  process.argv.slice(2),
  {
    write: (text) => void process.stdout.write(text),
    warn: (text) => void process.stderr.write(text),
    readStdin: () => buffer(process.stdin),
    hasColours: isTerminal && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
    isTerminal,
    isInteractive: isTerminal && process.stdin.isTTY === true,
    env: process.env,
    ended: ending.signal,
    platform: process.platform,
    start(program, args) {
      const child = spawn(program, args, { shell: false, detached: true, stdio: 'ignore' });
      child.on('error', () => process.stderr.write(`concord: ${program} could not be started\n`));
      child.unref();
    },
  },
  version,
);
// A request that nobody waits for must not keep the process.
if (code === exits.interrupted.code) process.exit(endCode);
process.exitCode = code;
// A connection that is kept alive must not delay the end.
process.stdin.unref?.();
