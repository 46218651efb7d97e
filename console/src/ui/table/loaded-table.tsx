// A list without pages: its rows once they are read, or what to say when there are none.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import type { Answer } from '#api/read.ts';
import { Loaded } from '../feedback/loaded.tsx';
import { Table } from './table.tsx';

type Props<Row> = Omit<ComponentProps<typeof Table<Row>>, 'rows'> & {
  query: UseQueryResult<Answer<readonly Row[]>>;
  /** Those that are shown, in their order. All by default. */
  rows?: (data: readonly Row[]) => readonly Row[];
  empty: ReactNode;
  lines?: number;
};

export function LoadedTable<Row>({
  query,
  rows: choose = (data) => data,
  empty,
  lines = 4,
  ...table
}: Props<Row>) {
  return (
    <Loaded query={query} lines={lines}>
      {({ data }) => {
        const rows = choose(data);
        return rows.length === 0 ? empty : <Table {...table} rows={rows} />;
      }}
    </Loaded>
  );
}
