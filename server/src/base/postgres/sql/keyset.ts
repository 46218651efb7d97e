// A keyset page: it starts after an item, even if others were added or deleted. The id breaks ties.
import sql, { type Sql } from 'sql-template-tag';
import { type IdKind, parseId } from '../../ids.ts';
import type { Queryable } from '../database.ts';
import { selectTotal } from './rows.ts';

export type Order<S extends string> = { readonly by: S; readonly direction: 'asc' | 'desc' };
export type Position = { readonly value: string; readonly id: string };

/** What a page asks for: the order, where it starts, and its length. */
export type Page<S extends string> = readonly [by: Order<S>, after: Position | null, limit: number];

/** `after`: the comparison with the item before. `back`: the order from the end. */
export const ways = {
  asc: { after: sql`>`, way: sql`asc`, back: sql`desc` },
  desc: { after: sql`<`, way: sql`desc`, back: sql`asc` },
} as const;

/**
 * The end of a statement that reads a page of items of a kind: it goes after the conditions of `where`. `first`: what
 * comes before the order, the same for all items.
 */
export function onPage<S extends string>(
  columns: Readonly<Record<S | 'id', Sql>>,
  kind: IdKind,
  [{ by, direction }, after, limit]: Page<S | 'id'>,
  first: (way: Sql) => Sql = () => sql``,
): Sql {
  const { after: comparison, way } = ways[direction];
  const { [by]: column, id } = columns;
  // Only the ids of users are stored as the wire has them.
  const afterId = after && (kind === 'user' ? after.id : parseId(kind, after.id));
  const [from, order] =
    by === 'id'
      ? [sql`and ${id} ${comparison} ${afterId}`, sql`${id} ${way}`]
      : [
          sql`and (${column}, ${id}) ${comparison} (${after?.value}, ${afterId})`,
          sql`${column} ${way}, ${id} ${way}`,
        ];
  return sql`${after ? from : sql``} order by ${first(way)} ${order} limit ${limit}`;
}

/** The items of a kind: their pages, and how many there are. `from` is a table with its conditions. */
export const listOf = <Row, Item, S extends string = never>(
  on: Queryable,
  kind: IdKind,
  {
    columns,
    from,
    sorted,
    toItem,
  }: { columns: Sql; from: Sql; sorted: Readonly<Record<S | 'id', Sql>>; toItem: (row: Row) => Item },
) => ({
  page: async (...page: Page<S | 'id'>): Promise<Item[]> =>
    (await on.query<Row>(sql`select ${columns} from ${from} ${onPage(sorted, kind, page)}`)).map(toItem),
  count: () => selectTotal(on, from),
});
