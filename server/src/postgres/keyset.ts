// A page of a list in some order, by keyset: it starts behind an item, whatever was added or deleted meanwhile; the id breaks ties.
import sql, { type Sql } from 'sql-template-tag';

type Order<S extends string> = { readonly by: S; readonly direction: 'asc' | 'desc' };
type Position = { readonly value: string; readonly id: string };

/**
 * `from` goes behind the conditions of `where`, `order` behind them all.
 * `toId`: how an id on the wire stands in the column `id`.
 */
export function keyset<S extends string>(
  columns: Readonly<Record<S | 'id', Sql>>,
  { by, direction }: Order<S | 'id'>,
  after: Position | null,
  toId: (id: string) => string | null,
): { from: Sql; order: Sql } {
  const [towards, way] = direction === 'asc' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  const { [by]: column, id } = columns;
  if (by === 'id') {
    return { from: after ? sql`and ${id} ${towards} ${toId(after.id)}` : sql``, order: sql`order by ${id} ${way}` };
  }
  return {
    from: after ? sql`and (${column}, ${id}) ${towards} (${after.value}, ${toId(after.id)})` : sql``,
    order: sql`order by ${column} ${way}, ${id} ${way}`,
  };
}
