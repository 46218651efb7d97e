// Generates the operations and types of packages/client from openapi.json.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';

type Operation = { parameters?: { in: string; name: string }[] };
type Description = { paths: Record<string, Record<string, Operation>> };

/** The files by their path in packages/client/src/generated. */
export async function generateClient(description: string): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'concord-client-'));
  try {
    await createClient({
      input: JSON.parse(description),
      output: {
        path: folder,
        postProcess: [],
        module: { extension: '.ts' },
        // It compiles, but not with the strictest options of those who import it.
        header: ['// Generated from openapi.json by `npm run generate`.', '// @ts-nocheck'],
      },
      plugins: [
        '@hey-api/typescript',
        { name: '@hey-api/sdk', responseStyle: 'data' },
        { name: '@hey-api/client-fetch', baseUrl: false, throwOnError: true },
      ],
      logs: { level: 'silent' },
    });
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(folder, name)).isFile(),
    );
    const generated = Object.fromEntries(
      names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    );
    const fetching = 'client/client.gen.ts';
    const urls = 'core/utils.gen.ts';
    return {
      ...generated,
      [fetching]: adaptToDeno(generated[fetching] ?? ''),
      [urls]: fillPathsSafely(generated[urls] ?? ''),
      'idempotent.ts': listIdempotent(JSON.parse(description)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The options of an operation become those of its request. In Deno, the `client` of a request is something
 * else.
 */
function adaptToDeno(code: string): string {
  const spread = '        ...opts,\n        body: getValidRequestBody(opts),\n';
  const adapted = code.replace(spread, `${spread}        client: undefined,\n`);
  if (adapted === code)
    throw new Error('The generated client sends requests in another way: see whether Deno runs it unchanged');
  return adapted;
}

/**
 * The generator's own code sends `..` as it is, and leaves out what is missing: the URL is then that of
 * another operation.
 */
function fillPathsSafely(code: string): string {
  const unsafe =
    /let url = \(baseUrl \?\? ''\) \+ pathUrl;\s*if \(path\) \{\s*url = defaultPathSerializer\(\{ path, url \}\);\s*\}/;
  const [start = '', end] = code.split('import type { BodySerializer');
  if (!unsafe.test(code) || end === undefined)
    throw new Error('The generated client fills paths in another way: see fillPath');
  const adapted = `${start}import { fillPath } from '../../paths.ts';\nimport type { BodySerializer${end}`;
  return adapted.replace(unsafe, "let url = (baseUrl ?? '') + fillPath(pathUrl, path);");
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
