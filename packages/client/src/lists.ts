// Lists as async iterables, page by page.
import type { Concord } from './client.ts';

type ListOptions = { client: Concord; query?: object | undefined };
/** An operation that answers with an array, and a `Link` to the next page. */
type ListOperation<O, Item> = (options: O) => Promise<readonly Item[]>;

/** The default of `query.page_size`. */
const pageSize = 100;

/** Each page of a list, in its order. Stop whenever you want: the next page is read when you ask for it. */
export async function* pages<O extends ListOptions, Item>(
  list: ListOperation<O, Item>,
  options: O,
): AsyncGenerator<readonly Item[]> {
  let query: object | undefined = { page_size: pageSize, ...options.query };
  while (query !== undefined) {
    // With `fields`, an operation resolves to its response too. Its types do not say so, since every other caller wants the data.
    const answer = list({ ...options, query, responseStyle: 'fields' } as O) as unknown;
    const { data, response } = (await answer) as { data: readonly Item[]; response: Response };
    yield data;
    const from = readNext(response.headers.get('link'));
    query = from === null ? undefined : { ...query, page_from: from };
  }
}

/** Each item of a list, in its order: `for await (const partner of items(listPartners, { client }))`. */
export async function* items<O extends ListOptions, Item>(list: ListOperation<O, Item>, options: O): AsyncGenerator<Item> {
  for await (const page of pages(list, options)) yield* page;
}

/** The cursor of `<...>; rel="next"` (RFC 8288). */
function readNext(link: string | null): string | null {
  const url = link === null ? undefined : /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link)?.[1];
  return url === undefined ? null : new URL(url, 'http://localhost').searchParams.get('page_from');
}
