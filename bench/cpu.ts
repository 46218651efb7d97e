// How much CPU a database server used. It reads /proc, so it needs Linux and a server on this machine.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Seconds of CPU that the server of this connection has used so far, in all of its processes. */
export async function serverCpuSeconds(on: Client): Promise<number> {
  const { rows } = await on.query<{ pid: number }>('select pg_backend_pid() as pid');
  const own = rows[0] && readStat(rows[0].pid);
  if (!own) throw new Error('The PostgreSQL server does not run on this machine, so its CPU cannot be measured');
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [readStat(Number(name))] : []));
  const running = processes.filter((each) => each?.parent === own.parent).reduce((sum, each) => sum + (each?.ticks ?? 0), 0);
  return (running + (readStat(own.parent)?.ticksOfEnded ?? 0)) / ticksPerSecond;
}

/** Undefined when the process has ended. */
function readStat(pid: number): { parent: number; ticks: number; ticksOfEnded: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // proc_pid_stat(5): the second field is a name in parentheses, which can contain anything.
  const [, parent, , , , , , , , , , user, system, endedUser, endedSystem] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { parent: parent ?? 0, ticks: (user ?? 0) + (system ?? 0), ticksOfEnded: (endedUser ?? 0) + (endedSystem ?? 0) };
}
