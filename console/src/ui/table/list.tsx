// A list of the API: its filters, its rows, and the way to the next page. Filters, order and page are in the URL,
// so that a link can be shared.
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Answer } from '#api/read.ts';
import { formatNumber } from '#format/numbers.ts';
import { Button } from '../button.tsx';
import { Loaded } from '../feedback/feedback.tsx';
import { SelectField, TextField } from '../form/field.tsx';
import { type Options, toOptions } from '../form/options.ts';
import css from './table.module.css';
import { type Sorting, Table } from './table.tsx';

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

type StateOptions<F extends string> = {
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
}: StateOptions<F>): ListState<F> {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const values = Object.fromEntries(filters.map((name) => [name, search[name] ?? ''])) as Record<F, string>;
  const by = search.sort_by ?? sort?.by;
  const direction =
    search.sort_dir === 'asc' || search.sort_dir === 'desc' ? search.sort_dir : sort?.direction;
  // Replaced, so that going back leaves the list and does not take back each letter of a filter.
  const change = (next: Search, replace = true) =>
    void navigate({ to: '.', search: withoutEmpty({ ...search, ...next }), replace });
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

type Props<Row> = Omit<Parameters<typeof Table<Row>>[0], 'rows' | 'sorting'> & {
  query: UseQueryResult<Answer<readonly Row[]>>;
  state: ListState<string>;
  /** Shown when there is nothing at all. */
  empty: ReactNode;
  /** Shown to a person who may not see the list. */
  denied?: ReactNode;
};

export function List<Row>({ query, state, empty, denied, ...table }: Props<Row>) {
  return (
    <Loaded query={query} lines={8} denied={denied}>
      {({ data, total, totalIsEstimated, next }) => {
        if (data.length === 0 && state.isFirstPage && next === null) {
          // What was found with the filters before is shown until the answer comes.
          if (!state.isFiltered && !query.isPlaceholderData) return empty;
          return (
            <div className={css.foot}>
              <p>Nothing matches these filters.</p>
              <Button onClick={() => clearFilters(state)}>Clear the filters</Button>
            </div>
          );
        }
        // The cursor of the list before is of no use in the one that is being read.
        const following = query.isPlaceholderData ? null : next;
        return (
          <>
            {data.length > 0 && <Table {...table} rows={data} sorting={state.sorting} />}
            <div className={css.foot}>
              <p>
                {data.length === 0 && next !== null
                  ? 'Nothing found so far. The search goes on with the next page.'
                  : total === null
                    ? `${formatNumber(data.length)} on this page`
                    : `${totalIsEstimated ? 'About ' : ''}${formatNumber(total)} in all`}
              </p>
              {(next !== null || !state.isFirstPage) && (
                <div className={css.pages}>
                  {/* Not `disabled`, which would lose the focus. */}
                  <Button isBusy={state.isFirstPage} onClick={state.toFirst}>
                    First page
                  </Button>
                  <Button
                    isBusy={following === null}
                    onClick={() => following !== null && state.toNext(following)}
                  >
                    Next page
                  </Button>
                </div>
              )}
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

export const Filters = ({ children }: { children: ReactNode }) => (
  <search className={css.filters}>{children}</search>
);

/** The button that was pressed goes away, so that the first filter gets the focus. */
export function clearFilters(state: Pick<ListState<string>, 'clear'>): void {
  state.clear();
  document.querySelector<HTMLElement>('main search :is(input, select)')?.focus();
}

const typingMs = 300;
/** Filters when the person pauses. */
export function FilterText<F extends string>({
  state,
  name,
  label,
  placeholder,
}: {
  state: ListState<F>;
  name: F;
  label: string;
  placeholder?: string;
}) {
  const applied = state.filters[name];
  const [text, setText] = useState(applied);
  // What the person types meanwhile stays, also a space at its end.
  const asked = useRef(applied);
  useEffect(() => {
    if (applied === asked.current) return;
    asked.current = applied;
    setText(applied);
  }, [applied]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === applied) return;
    const timer = setTimeout(() => {
      asked.current = wanted;
      state.setFilter(name, wanted);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [text, applied, name, state]);
  return (
    <TextField
      name={name}
      label={label}
      type="search"
      value={text}
      onChange={(event) => setText(event.target.value)}
      placeholder={placeholder}
    />
  );
}

/** `any`: what no filter is called. */
export function FilterSelect<F extends string>({
  state,
  name,
  label,
  any,
  options,
}: {
  state: ListState<F>;
  name: F;
  label: string;
  any: string;
  options: Options;
}) {
  return (
    <SelectField
      name={name}
      label={label}
      value={state.filters[name]}
      onChange={(event) => state.setFilter(name, event.target.value)}
      options={[{ value: '', label: any }, ...toOptions(options)]}
    />
  );
}
