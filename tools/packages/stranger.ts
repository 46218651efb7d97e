// Uses the packages as a stranger who has installed them: with TypeScript, as ES modules and as CommonJS.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../built-folder.ts';
import { clientProgram, program } from './programs.ts';

const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
const execute = promisify(execFile);

/** The first example in TypeScript of a document. */
function readExample(file: string): string {
  const example = /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1];
  if (!example) throw new Error(`${file} has no example`);
  return example;
}

/**
 * `folder` has the packages in its node_modules. TypeScript skips no types. The examples of the documents must
 * compile, and those that need no network must run. Lists the problems.
 */
export async function useAsStranger(folder: string): Promise<string[]> {
  const runNode = (...args: string[]) => execute(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const portable = [
    write('program.mts', program),
    write('client.mts', clientProgram),
    write('signatures.mts', readExample('packages/http-message-signatures/README.md')),
  ];
  const onNode = [
    write('document.mts', readExample('docs/receiving-webhooks.md')),
    write('receiver.mts', readExample('packages/webhook-receiver/README.md')),
  ];
  const common = [write('program.cts', program), write('client.cts', clientProgram)];
  const options = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--strict', '--ignoreConfig'];
  const next = ['--module', 'nodenext', ...options];
  const node16 = ['--module', 'node16', ...options];
  const nodeTypes = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types'), '--skipLibCheck'];
  const compiled = (file: string) => file.replace(/ts$/, 'js');
  try {
    await runNode(tsc, ...next, '--types', '', ...portable, ...common);
    await runNode(tsc, ...node16, '--types', '', '--noEmit', ...common);
    await runNode(tsc, ...next, ...nodeTypes, '--lib', 'es2022', '--noEmit', ...onNode);
    for (const file of [...portable, ...common]) await runNode(compiled(file));
    // As on a runtime whose require cannot load ES modules.
    for (const file of common) await runNode('--no-experimental-require-module', compiled(file));
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return [`a stranger's program: ${stdout}${stderr}`];
  }
}
