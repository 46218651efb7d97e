// Generates the operations and types of packages/client from openapi.json.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';

type Operation = {
  parameters?: { in: string; name: string }[];
  responses: Record<string, { content?: object }>;
};
type Description = { paths: Record<string, Record<string, Operation>> };

/** The files by their path in packages/client/src/generated. */
export async function generateClient(openapi: string): Promise<Record<string, string>> {
  const description: Description = JSON.parse(openapi);
  leaveOutStreams(description);
  const folder = mkdtempSync(join(tmpdir(), 'concord-client-'));
  try {
    await createClient({
      input: description,
      output: {
        path: folder,
        postProcess: [],
        module: { extension: '.ts' },
        // It compiles, but not with the strictest options of those who import it.
        header: ['// Generated from openapi.json by `npm run generate`.', '// @ts-nocheck'],
      },
      plugins: [
        '@hey-api/typescript',
        { name: '@hey-api/sdk', client: false, responseStyle: 'data' },
        { name: '@hey-api/client-fetch', baseUrl: false, throwOnError: true },
      ],
      logs: { level: 'silent' },
    });
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => !unused.has(name) && statSync(join(folder, name)).isFile(),
    );
    return {
      ...Object.fromEntries(
        names.map((name) => [name, edit(name, readFileSync(join(folder, name), 'utf8'))]),
      ),
      'idempotent.ts': listIdempotent(description),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A stream of events ends late, and the client reads answers to their end. */
function leaveOutStreams({ paths }: Description): void {
  for (const [path, operations] of Object.entries(paths))
    for (const { responses } of Object.values(operations))
      if (Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content))
        delete paths[path];
}

const unused = new Set([
  'client.gen.ts',
  'core/params.gen.ts',
  'core/queryKeySerializer.gen.ts',
  'core/serverSentEvents.gen.ts',
  'index.ts',
]);

/** What is changed in the generated files. */
const edits: Readonly<Record<string, readonly (readonly [from: RegExp, to: string])[]>> = {
  'client/client.gen.ts': [
    // The options of an operation become those of its request. In Deno, the `client` of a request is something else.
    [/( +)\.\.\.opts,\n +body: getValidRequestBody\(opts\),\n/, '$&$1client: undefined,\n'],
    // Without streams.
    [/import \{ createSseClient \}.*\n/, ''],
    [/ {2}const makeSseFn [\s\S]*?\n {2}\};\n\n/, ''],
    [/ {4}sse: \{[\s\S]*?\n {4}\},\n/, ''],
  ],
  'client/index.ts': [
    [/export type \{ ServerSentEventsResult \}.*\n/, ''],
    [/export \{ buildClientParams \}.*\n/, ''],
    [/export \{ serializeQueryKeyValue \}.*\n/, ''],
  ],
  'client/types.gen.ts': [
    [/import type \{\s*ServerSentEventsOptions[\s\S]*?;\n/, ''],
    [/,\s*Pick<\s*ServerSentEventsOptions[\s\S]*?> \{/, ' {'],
    [/type SseFn = [\s\S]*?;\n\n/, ''],
    [/, SseFn>/, '>'],
  ],
  'sdk.gen.ts': [
    [/import \{ type Client,/, "import { clientOf } from '../client-of.ts';\n$&"],
    [/\boptions\.client\./g, 'clientOf(options).'],
  ],
  // Those of the generated client, which `ConcordOptions` replaces.
  'types.gen.ts': [[/export type ClientOptions = \{[\s\S]*?\};\n\n/, '']],
  // The generator's own code sends `..` as it is, and leaves out what is missing: the URL is then that of another
  // operation.
  'core/utils.gen.ts': [
    [/import type \{ BodySerializer/, "import { fillPath } from '../../paths.ts';\n$&"],
    [
      /let url = \(baseUrl \?\? ''\) \+ pathUrl;\s*if \(path\) \{\s*url = defaultPathSerializer\(\{ path, url \}\);\s*\}/,
      "let url = (baseUrl ?? '') + fillPath(pathUrl, path);",
    ],
  ],
};

function edit(name: string, code: string): string {
  let edited = code;
  for (const [from, to] of edits[name] ?? []) {
    if (!from.test(edited)) throw new Error(`The generated ${name} has changed: nothing fits ${from}`);
    edited = edited.replace(from, to);
  }
  return edited;
}

function listIdempotent({ paths }: Description): string {
  const names = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { parameters = [] }]) =>
        parameters.some((each) => each.in === 'header' && each.name.toLowerCase() === 'idempotency-key'),
      )
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  return `// Generated from openapi.json by \`npm run generate\`.

/** The operations that take an \`Idempotency-Key\`. */
export const takesIdempotencyKey: ReadonlySet<string> = new Set(${JSON.stringify(names.sort(), null, 2).replaceAll('"', "'")});
`;
}
