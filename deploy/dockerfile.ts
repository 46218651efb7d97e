// Reads deploy/Dockerfile and .dockerignore: the stages with their instructions, and the files that the build
// sees.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export type Instruction = { keyword: string; argument: string };
/** `from` is the name of another stage, or an image. The last stage has no name. */
type Stage = { name?: string; from: string; instructions: Instruction[] };

export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, keyword = '', argument = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    const stage = stages.at(-1);
    const [, from = '', name] = /^(\S+)(?: AS (\S+))?$/.exec(argument) ?? [];
    if (keyword === 'FROM') stages.push({ ...(name !== undefined && { name }), from, instructions: [] });
    else if (keyword === '' || stage === undefined)
      throw new Error(`deploy/Dockerfile has a line that is no instruction: ${line}`);
    else stage.instructions.push({ keyword, argument });
  }
  return stages;
}

/** `KEY=value OTHER="two words"`, with `$KEY` replaced by what `known` has. */
export function parseEnv(argument: string, known: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = [...argument.matchAll(/([A-Z_]+)=(?:"([^"]*)"|(\S+))/g)];
  return Object.fromEntries(
    pairs.map(([, name = '', quoted, plain = '']) => [
      name,
      (quoted ?? plain).replaceAll(/\$\{?([A-Z_]+)\}?/g, (_, used: string) => known[used] ?? ''),
    ]),
  );
}

/**
 * Whether a path of the repository stays out of the build. The last pattern that matches it, or a folder
 * above it, decides.
 */
export function createIgnore(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const includes = line.startsWith('!');
      const pattern = line.slice(includes ? 1 : 0).replaceAll('.', '\\.');
      const source = pattern.replaceAll(/\*\*\/|\*/g, (wildcard) =>
        wildcard === '*' ? '[^/]*' : '(?:.*/)?',
      );
      return { includes, matches: new RegExp(`^${source}(?:/|$)`) };
    });
  return (path) => !rules.findLast(({ matches }) => matches.test(path))?.includes;
}

/** The files below `root` that the build sees, as paths relative to it. */
export function listContext(root: string, isIgnored: (path: string) => boolean, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules' || entry.name === '.git') return [];
    if (entry.isDirectory()) return listContext(root, isIgnored, path);
    return isIgnored(path) ? [] : [path];
  });
}
