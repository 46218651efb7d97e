// What a route adds to the access read: the row of a feature that the path names.
import { formatId, type IdKind, parseId } from '../base/ids.ts';
import type { Sql } from '../base/postgres/database.ts';
import type { Bearer } from './bearer.ts';

/** The columns that a feature reads in the access read. `Row` has their types. */
export type Read<Row = unknown> = {
  readonly name: string;
  /** Null: the feature needs no columns of its own. */
  readonly columns: Sql | null;
  /** The object of the partner that the path names. Its table is joined as `item`. */
  readonly item?: {
    readonly kind: IdKind;
    readonly parameter: string;
    /** The object that contains it, unless the partner contains it directly. */
    readonly within?: { readonly kind: IdKind; readonly parameter: string };
    /** The table has typed ids, as the API shows them, in place of UUIDs. */
    readonly hasTypedIds?: true;
    /**
     * A lateral join after `partner` and `account`. The ids are columns, null for an id of the wrong form.
     */
    readonly join: (id: Sql, within: Sql) => Sql;
    /** Locks the row, so that it cannot be deleted during a mutation. */
    readonly lock?: (id: string | null) => Sql;
    /** Whether the object is the caller's own agreement. */
    readonly own?: Sql;
    readonly ownRequiresSecondFactor?: Sql;
  };
  /** Never set. It only carries the type. */
  readonly row?: Row;
};

/** For routes that list or create: the path names no object of the partner. */
export const partnerOnly: Read = { name: 'membership', columns: null };

/** The input of the access read. It is kept, so that access can be decided again inside a transaction. */
export type AccessQuery<Row = unknown> = {
  readonly bearer: Bearer;
  readonly parameters: Readonly<Record<string, string>>;
  /** Null on routes outside partners. */
  readonly read: Read<Row> | null;
};

/**
 * The id of the object that the path names, as its table has it. Null when the text is not an id of this
 * kind.
 */
export function keyOf({ read, parameters }: AccessQuery): string | null {
  if (!read?.item) return null;
  const id = itemId(read.item, parameters);
  return id !== null && read.item.hasTypedIds ? formatId(read.item.kind, id) : id;
}

/** The bare UUID of the object that the path names. Null when the text is not an id of this kind. */
export const itemId = (
  { kind, parameter }: Pick<NonNullable<Read['item']>, 'kind' | 'parameter'>,
  parameters: AccessQuery['parameters'],
) => parseId(kind, parameters[parameter] ?? '');
