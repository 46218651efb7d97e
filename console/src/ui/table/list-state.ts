// The filters, the order and the page of a list. They are in the URL, so that a link can be shared.
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Sorting } from './table.tsx';

type Search = Readonly<Record<string, string | undefined>>;

export type ListState<F extends string> = {
  /** The query of the operation. */
  readonly query: Record<string, string | number> & { page_size: number };
  readonly filters: Readonly<Record<F, string>>;
  readonly isFiltered: boolean;
  readonly isFirstPage: boolean;
  readonly sorting: Sorting;
  /** An empty value removes the filter. */
  setFilter(name: F, value: string): void;
  setFilters(values: Readonly<Partial<Record<F, string>>>): void;
  clear(): void;
  toNext(cursor: string): void;
  toFirst(): void;
};

type Options<F extends string> = {
  filters?: readonly F[];
  sort?: { by: string; direction: 'asc' | 'desc' };
  /** Sent as it is, whatever the URL says. */
  fixed?: Readonly<Record<string, string>>;
};

const pageSize = 50;

export function useListState<F extends string = never>({
  filters = [],
  sort,
  fixed = {},
}: Options<F> = {}): ListState<F> {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const values = Object.fromEntries(filters.map((name) => [name, search[name] ?? ''])) as Record<F, string>;
  const by = search.sort_by ?? sort?.by;
  const direction =
    search.sort_dir === 'asc' || search.sort_dir === 'desc' ? search.sort_dir : sort?.direction;
  // Replaced, so that going back leaves the list and does not take back each letter of a filter.
  const change = (next: Search, replace = true) =>
    void navigate({ to: '.', search: withoutEmpty({ ...search, ...next }) as never, replace });
  return {
    query: {
      page_size: pageSize,
      ...fixed,
      ...(search.page_from !== undefined && { page_from: search.page_from }),
      ...(by !== undefined && { sort_by: by }),
      ...(direction !== undefined && { sort_dir: direction }),
      ...Object.fromEntries(
        filters.flatMap((name) => (values[name] ? [[`filter[${name}]`, values[name]]] : [])),
      ),
    },
    filters: values,
    isFiltered: filters.some((name) => values[name] !== ''),
    isFirstPage: search.page_from === undefined,
    sorting: {
      by: by ?? 'id',
      direction: direction ?? 'asc',
      onSort: (sort_by, sort_dir) => change({ sort_by, sort_dir, page_from: undefined }),
    },
    setFilter: (name, value) => change({ [name]: value, page_from: undefined }),
    setFilters: (next) => change({ ...next, page_from: undefined }),
    clear: () =>
      change({ ...Object.fromEntries(filters.map((name) => [name, undefined])), page_from: undefined }),
    toNext: (page_from) => change({ page_from }, false),
    toFirst: () => change({ page_from: undefined }, false),
  };
}

const withoutEmpty = (search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
