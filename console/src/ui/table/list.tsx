// A list of the API: its filters, its rows, and the way to the next page.
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Answer } from '#api/read.ts';
import { formatNumber } from '#format/numbers.ts';
import { Button } from '../button.tsx';
import { Loaded } from '../feedback/loaded.tsx';
import { SelectField, TextField } from '../form/field.tsx';
import { type Options, toOptions } from '../form/options.ts';
import type { ListState } from './list-state.ts';
import css from './table.module.css';
import { Table } from './table.tsx';

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
