// Reads the text of a scrape.
import { expect } from 'vitest';

export type Sample = { name: string; labels: Record<string, string>; value: number };

/** @throws Error when a line is not in the text format of Prometheus */
export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return [];
    const match = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? ([-+.\dA-Za-z]+)$/.exec(line);
    if (!match) throw new Error(`not a sample: ${line}`);
    const [, name = '', labels = '', value = ''] = match;
    const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)",?/g)].map(([, key, text]) => [
      key,
      text,
    ]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value.replace('Inf', 'Infinity')) }];
  });
}

/** The sum of the samples with these labels. Undefined: there is none. */
export function sumOf(samples: readonly Sample[], name: string, labels: Record<string, string> = {}) {
  const found = samples.filter(
    (each) =>
      each.name === name && Object.entries(labels).every(([label, value]) => each.labels[label] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

export async function scrape(url: string): Promise<Sample[]> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parseMetrics(await answer.text());
}

/** From what a program says while it starts. */
export function metricsUrlOf(lines: readonly string[]) {
  const url = lines.flatMap((line) => /^Metrics are at (\S+)$/.exec(line)?.[1] ?? [])[0];
  if (url === undefined) throw new Error('The program serves no metrics');
  return url;
}
