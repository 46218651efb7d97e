// The examples of the README, as programs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Each example as a module, with the client of the first one in front. */
export function readExamples({ url, token }: { url: string; token: string }): string[] {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const [first = '', ...others] = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
    ([, code = '']) => code,
  );
  const setUp = first.replace('https://concord.example.com', url).replace('an access token', token);
  return others.map((example) => `${setUp}\n${example}export {};\n`);
}

/** The first line that each prints, when there is a partner whose name starts with `Nord`. */
export const firstLines: readonly RegExp[] = [
  /^Nordlys AS$/,
  /^ptr_/,
  /@/,
  /^$/,
  /invalid_request \/name/,
  /^$/,
  /^$/,
  /^$/,
];
