// What is left of a run: the table for people, and results.json for programs.
import { writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import type { Row } from './case.ts';

/** A row and, when its case has a yardstick, the name and the share of it. */
export type Result = Row & { against?: string; ratio?: number };

const leftAligned = new Set(['case', 'unit', 'ratio', 'CPU per']);
const processes = ['service ms', 'PostgreSQL ms', 'receiver ms', 'load ms', 'service MiB', 'PostgreSQL MiB'];
const heading = ['case', 'result', 'unit', 'ratio', 'CPU per', ...processes];

export function compare(rows: readonly Row[], yardstick: { name: string; row: Row } | undefined): Result[] {
  const [first, ...others] = rows;
  if (first === undefined || yardstick === undefined) return [...rows];
  return [{ ...first, against: yardstick.name, ratio: first.value / yardstick.row.value }, ...others];
}

export function formatTable(results: readonly Result[]): string {
  const lines = [heading, ...results.map(cellsOf)];
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    leftAligned.has(heading[column] ?? '')
      ? cell.padEnd(widths[column] ?? 0)
      : cell.padStart(widths[column] ?? 0);
  const rule = widths.map((width, column) =>
    leftAligned.has(heading[column] ?? '') ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  const [head = [], ...body] = lines;
  return [head.map(pad), rule, ...body.map((line) => line.map(pad))]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');
}

function cellsOf({ name, value, unit, against, ratio, cost }: Result): string[] {
  const compared = ratio === undefined ? '' : `${formatNumber(ratio)} of ${against}`;
  if (!cost) return [name, formatNumber(value), unit, compared, ...Array(7).fill('')];
  const { service, postgres, receiver, load } = cost.cpuMs;
  const cpu = [service, postgres, receiver, load].map(formatNumber);
  const memory = [cost.memoryMib.service, cost.memoryMib.postgres].map((mib) => String(Math.round(mib)));
  return [name, formatNumber(value), unit, compared, cost.per, ...cpu, ...memory];
}

/** Three significant digits, or all digits before the point. */
export function formatNumber(value: number): string {
  if (value === 0) return '0';
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

export function describeMachine(about: ReadonlyMap<string, string>): string {
  const [processor] = cpus();
  const parts = [
    `${cpus().length} cores (${processor?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${type()} ${release()}`,
    `Node ${process.versions.node}`,
    ...[...about].map(([name, value]) => `${name} ${value}`),
  ];
  return parts.join('; ');
}

export function writeResults(file: string, machine: string, results: readonly Result[]): void {
  const measuredAt = new Date().toISOString();
  writeFileSync(file, `${JSON.stringify({ measured_at: measuredAt, machine, results }, null, 2)}\n`);
}
