// Lists as async iterables, page by page.
import { toConcordError } from './errors.ts';
import { type DataOf, type OptionsOf, withResponse } from './with-response.ts';

type ListOperation = (options: never) => Promise<readonly unknown[] | undefined>;
type ItemOf<O extends ListOperation> = DataOf<O> extends readonly (infer Item)[] ? Item : never;

/** The default of `query.page_size`. */
const pageSize = 100;

/** Each page of a list, in its order. Stop whenever you want: the next page is read when you ask for it. */
export async function* pages<O extends ListOperation>(
  list: O,
  options: OptionsOf<O>,
): AsyncGenerator<readonly ItemOf<O>[]> {
  const { query: asked } = options as { query?: object };
  let query: { page_size?: number; page_from?: string } | undefined = { page_size: pageSize, ...asked };
  const seen = new Set([query.page_from]);
  while (query !== undefined) {
    const { data, response } = await withResponse(list, { ...(options as object), query } as OptionsOf<O>);
    const from = readNext(response.headers.get('link'));
    // A cache that ignores the query would give the same pages without end.
    if (!Array.isArray(data) || (from !== null && seen.has(from))) throw toConcordError(undefined, response);
    if (from !== null) seen.add(from);
    yield data as unknown as readonly ItemOf<O>[];
    query = from === null ? undefined : { ...query, page_from: from };
  }
}

/** Each item of a list, in its order: `for await (const partner of items(listPartners, { client }))`. */
export async function* items<O extends ListOperation>(
  list: O,
  options: OptionsOf<O>,
): AsyncGenerator<ItemOf<O>> {
  for await (const page of pages(list, options)) yield* page;
}

/** The cursor of `<...>; rel="next"` (RFC 8288). */
function readNext(link: string | null): string | null {
  const url = link === null ? undefined : /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link)?.[1];
  return url === undefined ? null : new URL(url, 'http://localhost').searchParams.get('page_from');
}
