// What the runs share: a Concord of their own, and whether this machine has the tools.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Concord, createClient, signIn } from '@concord/client';
import { findPort, makeScratchFolder, removeFolder, startService } from '../tools/tour-shell.ts';

const execute = promisify(execFile);
const email = 'operator@concord.local';
const password = 'a-password-for-interoperability';

/** `client` has the session of the operator. */
export type Place = { url: string; token: string; client: Concord };

/** Runs the work beside a new Concord, whose webhooks can go to this machine. */
export async function withConcord<T>(
  work: (place: Place) => Promise<T>,
  environment: Readonly<Record<string, string>> = {},
): Promise<T> {
  const data = makeScratchFolder();
  const port = await findPort(0);
  const service = await startService(data, {
    PORT: String(port),
    CONCORD_BASE_URL: `http://127.0.0.1:${port}`,
    CONCORD_OPERATOR_PASSWORD: password,
    CONCORD_WEBHOOK_ALLOW_HTTP: 'true',
    CONCORD_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    ...environment,
  });
  try {
    const baseUrl = service.url;
    const session = await signIn({ client: createClient({ baseUrl }), body: { email, password } });
    if (!('token' in session)) throw new Error('The first operator has no second factor');
    const { token } = session;
    return await work({ url: baseUrl, token, client: createClient({ baseUrl, token }) });
  } finally {
    await service.stop();
    removeFolder(data);
  }
}

/** Those whose name has this part. */
export function choose<T extends { name: string }>(kind: string, all: readonly T[], part: string): T[] {
  const chosen = all.filter(({ name }) => name.includes(part));
  if (chosen.length > 0) return chosen;
  throw new Error(
    `${kind} has none with ${part} in its name. It has: ${all.map(({ name }) => name).join('; ')}`,
  );
}

/** Runs commands one after the other. Returns what the last one prints. */
export async function runAll(
  commands: readonly (readonly string[])[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<string> {
  let printed = '';
  for (const [program = '', ...args] of commands)
    printed = (await execute(program, args, { ...options, maxBuffer: 64_000_000 })).stdout;
  return printed;
}

/** Says what is skipped when one of these commands fails. */
export async function hasTools(what: string, tools: readonly string[][]): Promise<boolean> {
  const missing: string[] = [];
  for (const [tool = '', ...args] of tools) await execute(tool, args).catch(() => missing.push(tool));
  if (missing.length > 0)
    process.stdout.write(`SKIPPED ${what}, not tested: ${missing.join(' and ')} not found\n`);
  return missing.length === 0;
}
