// What the documents name, so that tests hold them to it.
import { readFileSync } from 'node:fs';

/** The names in backticks of what the first group of the pattern finds. */
export function documented(file: string, pattern: RegExp): string[] {
  const [, found = ''] = pattern.exec(readFileSync(`docs/${file}`, 'utf8')) ?? [];
  return Array.from(found.matchAll(/`([\w.]+)`/g), ([, name = '']) => name);
}
