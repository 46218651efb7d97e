// What a route asks the access read: who calls, and which row of a feature the path names.
import { type IdKind, parseId } from '../ids.ts';
import type { Sql } from '../postgres/database.ts';
import type { Bearer } from './bearer.ts';

/** The columns that a feature reads together with access, from the tables joined there. `Row` has their types. */
export type Read<Row = unknown> = {
  readonly name: string;
  /** Null: only the columns of the access read itself. */
  readonly columns: Sql | null;
  /** The object inside the partner that the path names; its table is joined as `item`. */
  readonly item?: {
    readonly kind: IdKind;
    readonly parameter: string;
    /** The object that contains it, when that is not the partner. */
    readonly within?: { readonly kind: IdKind; readonly parameter: string };
    /** A lateral join after `partner` and `account`; an id of the wrong form comes as null. */
    readonly join: (id: string | null, within: string | null) => Sql;
    /** Locks its row, so that it does not vanish during a mutation. */
    readonly lock?: (id: string | null) => Sql;
    /** Whether it is the caller's own agreement, and whether that requires a second factor. */
    readonly own?: Sql;
    readonly ownRequiresSecondFactor?: Sql;
  };
  /** Never set: it only carries the type. */
  readonly row?: Row;
};

/** The partner alone, for objects that are lists or do not exist yet. */
export const partnerOnly: Read = { name: 'membership', columns: null };

/** Everything that the decision depends on, so that it can be made again inside a transaction. */
export type AccessQuery<Row = unknown> = {
  readonly bearer: Bearer;
  readonly parameters: Readonly<Record<string, string>>;
  /** Null on routes outside partners. */
  readonly read: Read<Row> | null;
};

/** The bare UUID of the object that the path names; null when it is no id of that kind. */
export const itemId = (
  { kind, parameter }: Pick<NonNullable<Read['item']>, 'kind' | 'parameter'>,
  parameters: AccessQuery['parameters'],
) => parseId(kind, parameters[parameter] ?? '');
