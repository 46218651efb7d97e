// A table of rows. The server sorts, searches and pages, so this only shows.
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Answer } from '#api/read.ts';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { DialogButton } from '../dialog/dialog.tsx';
import { Loaded } from '../feedback/feedback.tsx';
import { DownIcon, UpIcon } from '../icons.tsx';
import { Scroll } from '../layout/scroll.tsx';
import { type Action, RowMenu } from '../row-menu.tsx';
import { Time, Unseen } from '../text/text.tsx';
import css from './table.module.css';

type TimeKey<Row> = { [Key in keyof Row]: Row[Key] extends string | null ? Key : never }[keyof Row];

export type Column<Row> = {
  readonly name: string;
  readonly cell?: (row: Row) => ReactNode;
  /** In place of `cell`: the member that is a time. */
  readonly at?: TimeKey<Row>;
  readonly isNumber?: boolean;
  /** Left out where the table is narrow. */
  readonly isSecondary?: boolean;
  /** Left out earlier: a table with it would not fit beside the rail in the window of a tablet. */
  readonly isSpare?: boolean;
  /** The thing itself has long names, such as addresses: it takes much of the width, and is cut there. */
  readonly isWide?: boolean;
  readonly sortBy?: string;
};
export type Sorting = {
  readonly by: string;
  readonly direction: 'asc' | 'desc';
  onSort(by: string, direction: 'asc' | 'desc'): void;
};

type Dialog = (onClose: () => void) => ReactNode;
/** What can be done with a row. `dialog`: what it opens, such as a question. */
export type RowAction = Action | (Omit<Action, 'onSelect'> & { readonly dialog: Dialog });

type Props<Row> = {
  /** What the rows are: "Endpoints". Read aloud. */
  label: string;
  rows: readonly Row[];
  /** The first is the thing itself, a link. */
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** How the row is called in the labels of its menu and checkbox. */
  nameOf?: (row: Row) => string;
  actions?: (row: Row) => readonly RowAction[];
  sorting?: Sorting;
  /** Keys of the selected rows, where something can be done with many. */
  selection?: {
    readonly selected: ReadonlySet<string>;
    /** All rows by default. */
    readonly canSelect?: (row: Row) => boolean;
    onChange(selected: ReadonlySet<string>): void;
  };
};

export function Table<Row>(props: Props<Row>) {
  const { label, rows, columns, keyOf, nameOf = keyOf, actions, sorting, selection } = props;
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const toAction = (action: RowAction): Action =>
    'dialog' in action ? { ...action, onSelect: () => setDialog(() => action.dialog) } : action;
  const { canSelect = () => true } = selection ?? {};
  const keys = rows.filter(canSelect).map(keyOf);
  const isAllSelected = keys.length > 0 && keys.every((key) => selection?.selected.has(key));
  const toggle = (key: string) => {
    if (selection === undefined) return;
    const selected = new Set(selection.selected);
    if (!selected.delete(key)) selected.add(key);
    selection.onChange(selected);
  };
  return (
    <Scroll label={label} className={css.box}>
      <table className={css.table}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={css.narrowest}>
                {keys.length > 0 && (
                  <input
                    type="checkbox"
                    aria-label="Select all on this page"
                    checked={isAllSelected}
                    onChange={() => selection.onChange(new Set(isAllSelected ? [] : keys))}
                  />
                )}
              </th>
            )}
            {columns.map((column) => (
              <HeadCell key={column.name} column={column} sorting={sorting} />
            ))}
            {actions && (
              <th scope="col" className={css.menu}>
                <Unseen>Actions</Unseen>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = keyOf(row);
            return (
              <tr key={key} data-selected={selection?.selected.has(key) || undefined}>
                {selection && (
                  <td className={css.narrowest}>
                    {canSelect(row) && (
                      <input
                        type="checkbox"
                        aria-label={`Select ${nameOf(row)}`}
                        checked={selection.selected.has(key)}
                        onChange={() => toggle(key)}
                      />
                    )}
                  </td>
                )}
                {columns.map(({ name, cell, at, ...column }) => (
                  <td key={name} className={classesOf(column)}>
                    {cell?.(row)}
                    {at !== undefined && <Time at={row[at] as string | null} />}
                  </td>
                ))}
                {actions && (
                  <td className={css.menu}>
                    <RowMenu of={nameOf(row)} actions={actions(row).map(toAction)} />
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {dialog?.(() => setDialog(null))}
    </Scroll>
  );
}

type Look = Pick<Column<never>, 'isNumber' | 'isSecondary' | 'isSpare' | 'isWide'>;
const classesOf = ({ isNumber, isSecondary, isSpare, isWide }: Look): string =>
  classNames(isNumber && css.number, isSecondary && css.secondary, isSpare && css.spare, isWide && css.wide);

function HeadCell<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  const { name, sortBy } = column;
  const className = classesOf({ ...column, isWide: false });
  if (sortBy === undefined || sorting === undefined) {
    return (
      <th scope="col" className={className}>
        {name}
      </th>
    );
  }
  const isSorted = sorting.by === sortBy;
  const next = isSorted && sorting.direction === 'asc' ? 'desc' : 'asc';
  return (
    <th
      scope="col"
      className={className}
      aria-sort={isSorted ? (sorting.direction === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <button type="button" className={css.sort} onClick={() => sorting.onSort(sortBy, next)}>
        {name}
        {isSorted && (sorting.direction === 'asc' ? <UpIcon /> : <DownIcon />)}
      </button>
    </th>
  );
}

type LoadedProps<Row> = Omit<Props<Row>, 'rows'> & {
  query: UseQueryResult<Answer<readonly Row[]>>;
  /** Those that are shown, in their order. All by default. */
  rows?: (data: readonly Row[]) => readonly Row[];
  empty: ReactNode;
  lines?: number;
};

/** A list without pages: its rows once they are read, or what to say when there are none. */
export function LoadedTable<Row>({
  query,
  rows: choose = (data) => data,
  empty,
  lines = 4,
  ...table
}: LoadedProps<Row>) {
  return (
    <Loaded query={query} lines={lines}>
      {({ data }) => {
        const rows = choose(data);
        return rows.length === 0 ? empty : <Table {...table} rows={rows} />;
      }}
    </Loaded>
  );
}

type ButtonProps = { action: RowAction; look: 'plain' | 'secondary' };

/** An action of a row, as a button on the page of the thing. */
export function ActionButton({ action, look }: ButtonProps) {
  const { label, disabledBecause } = action;
  const button = { look, disabled: disabledBecause !== undefined, title: disabledBecause, children: label };
  return 'dialog' in action ? (
    <DialogButton {...button} dialog={action.dialog} />
  ) : (
    <Button {...button} onClick={action.onSelect} />
  );
}
