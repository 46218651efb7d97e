// Reading: an operation of the client as a query, with what its headers say.
import { ConcordError, type withResponse as WithResponse, withResponse } from '@concord/client';
import { type QueryKey, queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { client } from './client.ts';
import { isUnderWindow } from './health.ts';
import { pollMs } from './polling.ts';

export type Operation = Parameters<typeof WithResponse>[0];
/** Without those of the client itself. */
export type Options<O extends Operation> = Omit<NonNullable<Parameters<O>[0]>, 'client' | 'signal'>;
export type DataOf<O extends Operation> = NonNullable<Awaited<ReturnType<O>>>;

export type Answer<Data> = {
  readonly data: Data;
  /** For `If-Match`. */
  readonly etag: string;
  /** The number of items in a list. Null: not counted. */
  readonly total: number | null;
  readonly totalIsEstimated: boolean;
  /** The cursor of the next page. Null: this is the last. */
  readonly next: string | null;
};

let operations = 0;
const names = new WeakMap<Operation, string>();
/** Minified functions have no names of their own. */
function nameOf(operation: Operation): string {
  const known = names.get(operation);
  if (known !== undefined) return known;
  operations += 1;
  names.set(operation, `operation ${operations}`);
  return nameOf(operation);
}
export const keyOf = <O extends Operation>(operation: O, options?: Options<O>): QueryKey =>
  options === undefined ? [nameOf(operation)] : [nameOf(operation), options];

type Settings<O extends Operation> = {
  /** Read again every 10 s. */
  live?: boolean;
  /** Read again every second until this is true of the answer, and every 10 s after a minute. */
  until?: (data: DataOf<O>) => boolean;
  enabled?: boolean;
};

/** A page of a search can be empty although more follow (Q1). So many are read before the page says so. */
const maxEmptyPages = 10;

/**
 * An operation as a query. It is read again only while the page is visible and Concord has not asked for
 * fewer requests.
 */
export const read = <O extends Operation>(
  operation: O,
  options: Options<O>,
  { live = false, until, enabled = true }: Settings<O> = {},
) =>
  queryOptions({
    queryKey: keyOf(operation, options),
    queryFn: async ({ signal }): Promise<Answer<DataOf<O>>> => {
      let { query } = options as { query?: object };
      for (let pages = 1; ; pages++) {
        const answer = await readNow(operation, { ...options, ...(query && { query }), signal });
        if (!isEmpty(answer.data) || answer.next === null || pages === maxEmptyPages) return answer;
        query = { ...query, page_from: answer.next };
      }
    },
    enabled,
    refetchInterval: ({ state }) => {
      if (!isUnderWindow()) return false;
      // An error ends the waiting: what is denied stays denied.
      const isWaiting =
        until !== undefined && state.error === null && (state.data === undefined || !until(state.data.data));
      const isLive = live && !isCode(state.error, 'sso_required');
      const isSearching = state.data !== undefined && isEmpty(state.data.data) && state.data.next !== null;
      return pollMs({ isLive, isSearching, isWaiting, reads: state.dataUpdateCount });
    },
  });

const isEmpty = (data: unknown): boolean => Array.isArray(data) && data.length === 0;

/** Without the cache. */
export async function readNow<O extends Operation>(
  operation: O,
  options: Options<O>,
): Promise<Answer<DataOf<O>>> {
  const asked = { ...options, client } as NonNullable<Parameters<O>[0]>;
  const { data, response } = await withResponse(operation, asked);
  return { data: data as DataOf<O>, ...readHeaders(response.headers) };
}

/** Keeps what is shown until the next page or filter of the same list has been read. */
export const useRead = <O extends Operation>(
  operation: O,
  options: Options<O>,
  settings?: Settings<O>,
): UseQueryResult<Answer<DataOf<O>>> =>
  useQuery({
    ...read(operation, options, settings),
    placeholderData: (previous, query) => (hasSamePath(query?.queryKey[1], options) ? previous : undefined),
  });

/** What belongs to another partner must not be shown for this one, not even for a moment. */
const hasSamePath = (one: unknown, other: object): boolean =>
  JSON.stringify(pathOf(one)) === JSON.stringify(pathOf(other));
const pathOf = (options: unknown): unknown => (options as { path?: unknown } | undefined)?.path ?? null;

function readHeaders(headers: Headers): Omit<Answer<unknown>, 'data'> {
  const total = headers.get('total-count');
  const link = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(headers.get('link') ?? '')?.[1];
  return {
    etag: headers.get('etag') ?? '',
    total: total === null ? null : Number(total),
    totalIsEstimated: headers.get('total-count-estimated') === 'true',
    next: link === undefined ? null : new URL(link, window.location.origin).searchParams.get('page_from'),
  };
}

export const isCode = (error: unknown, ...codes: string[]): error is ConcordError =>
  error instanceof ConcordError && codes.includes(error.code);
