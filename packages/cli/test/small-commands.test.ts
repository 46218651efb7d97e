// Types, pages of the console and completions: what names and ids of others may do, and what not.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { pageOf } from '../../../console/src/app/page-of.ts';
import { commands } from '../src/commands/index.ts';
import { folders } from '../src/commands/open.ts';
import { createFile } from '../src/commands/types-pull.ts';
import { makeFolder, runCli } from './run-cli.ts';

it('a hostile catalogue becomes types, and nothing else', () => {
  const evil = '*/ process.exit(); /*\u2028"]; }; process.exit(); `$` \u001b[2J \u202e';
  const schema = {
    type: 'object',
    required: [evil],
    properties: {
      [evil]: { type: 'string', description: evil },
      ['__proto__']: { enum: [evil, 1, null] },
      list: { type: 'array', items: { const: evil } },
      open: { type: 'object' },
      both: { anyOf: [{ type: 'string' }, { type: ['integer', 'null'] }] },
    },
  };
  const names = ['inventory.updated', 'inventory-updated', evil, '1.2', ''];
  const text = createFile(names.map((name) => ({ name, description: evil, schema })));
  const { parseDiagnostics, statements } = ts.createSourceFile(
    'a.ts',
    text,
    ts.ScriptTarget.Latest,
  ) as ts.SourceFile & {
    parseDiagnostics: unknown[];
  };
  expect(parseDiagnostics).toEqual([]);
  expect(statements.every(ts.isTypeAliasDeclaration)).toBe(true);
  const aliases = statements.filter(ts.isTypeAliasDeclaration).map(({ name }) => name.text);
  expect(aliases).toHaveLength(names.length + 2);
  expect(new Set(aliases).size).toBe(aliases.length);
  expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  expect(text).toContain('both?: string | (number | null)');
  expect(text).toContain('open?: Record<string, unknown>');
});

it('O87: the file of types pull compiles, whatever the types are named', () => {
  const names = ['record', 'Record2', 'concord.event', 'concord.event.of', 'string', 'array', 'promise'];
  const schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'object' } } } };
  const file = join(makeFolder(), 'events.ts');
  writeFileSync(file, createFile(names.map((name) => ({ name, description: '', schema }))));
  const program = ts.createProgram([file], { noEmit: true, strict: true, types: [] });
  const problems = ts.getPreEmitDiagnostics(program);
  expect(problems.map(({ messageText }) => messageText)).toEqual([]);
});

it('W74: a deprecated type is marked, with its date and what to use', () => {
  const deprecated = { at: '2027-01-31T00:00:00.000Z', successor: 'stock.counted' };
  const text = createFile([{ name: 'stock.old', description: 'Stock.', schema: {}, deprecated }]);
  expect(text).toContain('/** Stock. @deprecated From 2027-01-31T00:00:00.000Z on, use stock.counted. */');
});

it('open prints the page, and starts a browser only with the URL of an id', async () => {
  const id = 'dlv_01h2xcejqtf2nbrexx3vqjhp41';
  const env = { CONCORD_URL: 'https://concord.example.com', CONCORD_PARTNER: 'ptr_1' };
  const url = `https://concord.example.com/console/p/ptr_1/webhooks/deliveries/${id}`;
  expect(await runCli(['open', id], { env })).toMatchObject({ code: 0, stdout: `${url}\n`, started: [] });
  const opened = await runCli(['open', id], { env, hasColours: true });
  expect(opened.started).toEqual([['xdg-open', url]]);
  expect((await runCli(['open', id, '--print'], { env, hasColours: true })).started).toEqual([]);
  for (const wrong of ['$(reboot)', 'dlv_../../x', 'usr_01h2xcejqtf2nbrexx3vqjhp41', '; reboot'])
    expect(await runCli(['open', wrong], { env, hasColours: true })).toMatchObject({ code: 2, started: [] });
  const hostile = { ...env, CONCORD_PARTNER: 'ptr_1/../x' };
  expect(await runCli(['open', id], { env: hostile, hasColours: true })).toMatchObject({
    code: 2,
    started: [],
  });
});

it('open knows each id that has a page in the console, and no other', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const prefixes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
  const pages = prefixes.flatMap((prefix) => {
    const path = pageOf(`${prefix}_1`, 'ptr_1')?.path;
    return path === undefined ? [] : [[prefix, path]];
  });
  const ours = Object.entries(folders).map(([prefix, folder]) => [prefix, `/p/ptr_1/${folder}/${prefix}_1`]);
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(pages));
});

const complete = (script: string, ...words: string[]): string[] => {
  const file = join(makeFolder(), 'script');
  writeFileSync(
    file,
    `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}\n_concord; echo "\${COMPREPLY[@]}"`,
  );
  return execFileSync('bash', [file], { encoding: 'utf8' }).trim().split(' ');
};

it('bash completes commands, their second word and their options', async () => {
  const { stdout: script } = await runCli(['completion', 'bash']);
  const first = new Set(commands.map(({ path }) => path[0]));
  expect(new Set(complete(script, 'concord', ''))).toEqual(first);
  expect(complete(script, 'concord', 'deliveries', 's')).toEqual(['show', 'send-now']);
  expect(complete(script, 'concord', 'deliveries', 'list', '--st')).toEqual(['--state']);
  expect(complete(script, 'concord', 'listen', '--json', '--f')).toEqual(['--forward-to']);
  expect(complete(script, 'concord', 'completion', 'z')).toEqual(['zsh']);
});

it('zsh and fish get each command too', async () => {
  for (const shell of ['zsh', 'fish']) {
    const { code, stdout } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    for (const { path } of commands) expect(stdout).toContain(path.at(-1));
  }
  expect((await runCli(['completion', 'tcsh'])).code).toBe(2);
});
