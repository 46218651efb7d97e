// The CPU time and the memory of process trees. It reads /proc, so it needs Linux.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const parts = ['service', 'postgres', 'receiver', 'load'] as const;
export type Part = (typeof parts)[number];
type PerPart = Record<Part, number>;
const perPart = (numberOf: (part: Part) => number) =>
  Object.fromEntries(parts.map((part) => [part, numberOf(part)])) as PerPart;

/** What some work used: milliseconds of CPU, and the memory after it, in MiB. */
export type Use = { cpuMs: PerPart; memoryMib: PerPart };
/** The CPU is that of one event, delivery or request. */
export type Cost = Use & { per: string };

/** Does work, and tells what these trees used for it. A part that is left out used nothing. */
export async function observe<T>(
  trees: Partial<Record<Part, Tree>>,
  work: () => Promise<T>,
): Promise<{ result: T; use: Use }> {
  const read = (number: (tree: Tree) => number) => perPart((part) => (trees[part] ? number(trees[part]) : 0));
  const before = read(cpuMsOf);
  const result = await work();
  const after = read(cpuMsOf);
  const cpuMs = perPart((part) => after[part] - before[part]);
  return { result, use: { cpuMs, memoryMib: read(memoryMibOf) } };
}

export function costOf({ cpuMs, memoryMib }: Use, per: string, count: number): Cost {
  return { per, cpuMs: perPart((part) => cpuMs[part] / count), memoryMib };
}

type Process = { pid: number; parent: number; ticks: number; ticksOfEnded: number };
/** A process with all of its descendants, except the trees of `without`. */
export type Tree = { root: number; without?: readonly number[] };

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Milliseconds of CPU that the processes of a tree have used so far, including those that ended. */
export function cpuMsOf(tree: Tree): number {
  const ticks = processesOf(tree).reduce((sum, each) => sum + each.ticks + each.ticksOfEnded, 0);
  return (ticks * 1_000) / ticksPerSecond;
}

/** Resident memory in MiB. A page that several processes share counts once. */
export function memoryMibOf(tree: Tree): number {
  return processesOf(tree).reduce((sum, { pid }) => sum + kibibytesOf(pid), 0) / 1_024;
}

function processesOf({ root, without = [] }: Tree): Process[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  const children = Map.groupBy(all, ({ parent }) => parent);
  const below = (each: Process): Process[] =>
    without.includes(each.pid) ? [] : [each, ...(children.get(each.pid) ?? []).flatMap(below)];
  return all.filter(({ pid }) => pid === root).flatMap(below);
}

/** Empty when the process has ended. */
function readProcess(pid: number): Process[] {
  const text = readText(`/proc/${pid}/stat`);
  if (text === undefined) return [];
  // proc_pid_stat(5): the second field is a name in parentheses, which can contain anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [, parent = 0, , , , , , , , , , user = 0, system = 0, endedUser = 0, endedSystem = 0] =
    fields.map(Number);
  return [{ pid, parent, ticks: user + system, ticksOfEnded: endedUser + endedSystem }];
}

/** The proportional share of the process, or all that it has resident when only root may know. */
function kibibytesOf(pid: number): number {
  const share = readText(`/proc/${pid}/smaps_rollup`) ?? readText(`/proc/${pid}/status`) ?? '';
  return Number(/^(?:Pss|VmRSS):\s+(\d+)/m.exec(share)?.[1] ?? 0);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
