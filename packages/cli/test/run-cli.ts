// Runs a command line in this process, keeps what it prints, and has servers for it.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runProgram } from '../src/program.ts';

type Options = {
  env?: Record<string, string>;
  /** A promise: nothing comes until it resolves. */
  stdin?: string | Buffer | Promise<string>;
  /** Ctrl-C. */
  ended?: AbortSignal;
  hasColours?: boolean;
  isInteractive?: boolean;
};
export type Ran = { code: number; stdout: string; stderr: string; started: string[][] };

/** A folder that the test removes. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'concord-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The URL of a server that listens until the test ends. */
export async function listenOn(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** `output` fills while the command runs. */
export function startCli(args: readonly string[], options: Options = {}) {
  const { env = {}, stdin = '', ended = new AbortController().signal, hasColours = false } = options;
  const { isInteractive = hasColours } = options;
  const output = { stdout: '', stderr: '', started: [] as string[][] };
  const done = runProgram(
    args,
    {
      write: (text) => {
        output.stdout += text;
      },
      warn: (text) => {
        output.stderr += text;
      },
      readStdin: async () => Buffer.from(await stdin),
      hasColours,
      isTerminal: hasColours,
      isInteractive,
      env: { XDG_CONFIG_HOME: '/nonexistent', ...env },
      ended,
      platform: 'linux',
      start: (program, given) => output.started.push([program, ...given]),
    },
    'test',
  );
  return { output, done };
}

export async function runCli(args: readonly string[], options: Options = {}): Promise<Ran> {
  const { output, done } = startCli(args, options);
  const code = await done;
  return { code, ...output };
}
