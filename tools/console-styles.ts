// Part of `npm run check`: the console takes every colour, size and duration from console/src/tokens.css.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { complain } from './command.ts';

const folder = join(import.meta.dirname, '../console/src');
const tokens = join(folder, 'tokens.css');

/** Lengths and durations with a unit, and colours. Shares (%, fr, ch, vh) are no sizes of their own. */
const literal =
  /(?<![\w.-])-?\d*\.?\d+(?:px|rem|em|pt|m?s)\b|#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|oklab|lab|lch|color)\(/gi;
/** Style attributes set values past the tokens. A custom property may be set: the module uses it. */
const styleAttribute = /\bstyle=\{\{(?!\s*'--)/g;

function findFaults(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  const isStyle = path.endsWith('.css');
  // Queries cannot use custom properties.
  const checked = isStyle ? blank(text, /\/\*.*?\*\/|@(?:media|container)[^{]*|@import[^;]*/gs) : text;
  return [...checked.matchAll(isStyle ? literal : styleAttribute)].map(
    ({ 0: found, index }) => `${path}:${text.slice(0, index).split('\n').length}: ${found}`,
  );
}
const blank = (text: string, pattern: RegExp): string =>
  text.replaceAll(pattern, (part) => part.replaceAll(/[^\n]/g, ' '));

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && /\.(css|tsx)$/.test(file.name))
  .map(({ parentPath, name }) => join(parentPath, name))
  .filter((path) => path !== tokens);
complain(files.flatMap(findFaults));
