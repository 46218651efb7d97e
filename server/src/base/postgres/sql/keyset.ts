// A keyset page: it starts after an item, even if others were added or deleted. The id breaks ties.
import sql, { type Sql } from 'sql-template-tag';
import { type IdKind, parseId } from '../../ids.ts';

export type Order<S extends string> = { readonly by: S; readonly direction: 'asc' | 'desc' };
export type Position = { readonly value: string; readonly id: string };

/**
 * `from` follows the conditions of `where`. `toId`: from the wire to the column. `first`: what comes before the order,
 * the same for all items.
 */
export function keyset<S extends string>(
  columns: Readonly<Record<S | 'id', Sql>>,
  { by, direction }: Order<S | 'id'>,
  after: Position | null,
  toId: (id: string) => string | null,
  first: (way: Sql) => Sql = () => sql``,
): { from: Sql; order: Sql } {
  const [comparison, way] = direction === 'asc' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  const { [by]: column, id } = columns;
  if (by === 'id') {
    return {
      from: after ? sql`and ${id} ${comparison} ${toId(after.id)}` : sql``,
      order: sql`order by ${first(way)} ${id} ${way}`,
    };
  }
  return {
    from: after ? sql`and (${column}, ${id}) ${comparison} (${after.value}, ${toId(after.id)})` : sql``,
    order: sql`order by ${first(way)} ${column} ${way}, ${id} ${way}`,
  };
}

/** What a page asks for: the order, where it starts, and its length. */
export type Page<S extends string> = readonly [by: Order<S>, after: Position | null, limit: number];

/** The end of a statement that reads a page of items of a kind: it goes after the conditions of `where`. */
export function onPage<S extends string>(
  columns: Readonly<Record<S | 'id', Sql>>,
  kind: IdKind,
  [by, after, limit]: Page<S | 'id'>,
): Sql {
  const { from, order } = keyset(columns, by, after, (id) => parseId(kind, id));
  return sql`${from} ${order} limit ${limit}`;
}
