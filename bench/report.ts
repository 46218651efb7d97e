// What is left of a run: the table for people, and results.json for programs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { formatNumber, type Row } from './rounds.ts';
import type { Spread } from './statistics.ts';

/** An element of results.json. `name` and `against` are `case/variant`, or `case/variant/number`. */
export type Result = { name: string; value: number; unit: string; against: string | null; ratio: number | null };

const heading = ['case', 'variant', 'value', 'min..max', 'unit', 'against', 'ratio', 'min..max'];
const numeric = [2, 3, 6, 7];

export function formatTable(rows: Row[]): string {
  const cells = rows.map((row) => [
    row.case,
    row.variant,
    formatNumber(row.value.median),
    formatRange(row.value),
    row.unit,
    row.against ?? '-',
    row.ratio ? formatNumber(row.ratio.median) : '-',
    row.ratio ? formatRange(row.ratio) : '-',
  ]);
  const lines = [heading, ...cells];
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => {
      const padded = line.map((cell, column) => {
        const width = widths[column] ?? 0;
        return numeric.includes(column) ? cell.padStart(width) : cell.padEnd(width);
      });
      return padded.join('  ').trimEnd();
    })
    .join('\n');
}

const formatRange = ({ min, max }: Spread) => (min === max ? '-' : `${formatNumber(min)}..${formatNumber(max)}`);

/** The results of the cases in `rows` replace those of their last run. */
export function mergeResults(before: Result[], rows: Row[]): Result[] {
  const measured = new Set(rows.map((row) => row.case));
  const results = rows.map((row) => ({
    name: `${row.case}/${row.variant}`,
    value: roundNumber(row.value.median),
    unit: row.unit,
    against: row.against && `${row.case}/${row.against}`,
    ratio: row.ratio && roundNumber(row.ratio.median),
  }));
  const kept = before.filter(({ name }) => !measured.has(name.slice(0, name.indexOf('/'))));
  return [...kept, ...results].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const roundNumber = (value: number) => Number(value.toPrecision(6));

export function writeResults(file: string, rows: Row[]): void {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Result[]) : [];
  writeFileSync(file, `${JSON.stringify(mergeResults(before, rows), null, 2)}\n`);
}
