// What `npm start` runs, for measurements and for the tests of deploy/: they must run the same.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * The script is `exec env NAME=value node tools/node.cjs --option program`. @throws Error when it has another
 * form
 */
export function readStartCommand(): {
  program: string;
  environment: Record<string, string>;
  nodeOptions: string[];
} {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const [, variables = '', options = '', program] =
    /^exec env ((?:\w+=\S+ )*)node tools\/node\.cjs ((?:--\S+ )*)(\S+)$/.exec(scripts.start) ?? [];
  if (program === undefined)
    throw new Error(`The start script of package.json has another form: ${scripts.start}`);
  const words = (text: string) => text.split(' ').filter((word) => word !== '');
  return {
    program,
    environment: Object.fromEntries(words(variables).map((word) => word.split(/=(.*)/s) as [string, string])),
    nodeOptions: words(options),
  };
}
