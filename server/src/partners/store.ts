// The SQL of partners.
import sql, { join } from 'sql-template-tag';
import type { Read } from '../access/index.ts';
import { formatId, newUuid, parseId } from '../base/ids.ts';
import type { Queryable, Transaction } from '../base/postgres/database.ts';
import { movedForward } from '../base/postgres/sql/clock.ts';
import { listOf, onPage, type Page } from '../base/postgres/sql/keyset.ts';
import {
  allOf,
  anyOf,
  columnList,
  pick,
  queryRow,
  queryValues,
  requireRow,
  selectTotal,
  withTextTimes,
} from '../base/postgres/sql/rows.ts';
import { contains } from '../base/postgres/sql/text.ts';
import type { Totals } from '../base/postgres/sql/totals.ts';
import type { Coordinate } from './billing-address.ts';
import { addressTexts, coordinates, type TextColumn, textNames } from './columns.ts';
import type { Partner, PartnerContent } from './partner.ts';
import type { DeletedPartner } from './schema.ts';

export type PartnerRow = { name: string } & Record<
  Exclude<TextColumn, 'name'> | (typeof addressTexts)[number],
  string | null
> &
  Record<(typeof coordinates)[number], number | null> & {
    partner_id: string;
    created_at: Date;
    updated_at: Date;
  };

/** The columns that `PartnerContent` fills. */
const contentNames = [...textNames, ...addressTexts, ...coordinates];
const contentColumns = columnList(contentNames);
const columns = sql`partner.id as partner_id, ${columnList(contentNames, 'partner')}, partner.created_at, partner.updated_at`;

export const partnerRead: Read<PartnerRow> = { name: 'partner', columns };

export const toPartner = (row: PartnerRow): Partner => ({
  id: formatId('partner', row.partner_id),
  ...pick(row, textNames),
  billing_address: {
    ...pick(row, addressTexts),
    latitude: toCoordinate(row.latitude),
    longitude: toCoordinate(row.longitude),
  },
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

function toCoordinate(value: number | null): Coordinate | null {
  return value === null || Number.isFinite(value) ? value : (String(value) as Coordinate);
}

const contentValues = ({ billing_address, ...texts }: PartnerContent) =>
  join(contentNames.map((name) => ({ ...texts, ...billing_address })[name]));

export const insertPartner = async (tx: Transaction, content: PartnerContent) =>
  requireRow(
    await tx.query<PartnerRow>(sql`
      insert into partner (id, ${contentColumns}) values (${newUuid()}, ${contentValues(content)})
      returning ${columns}`),
    'partner',
  );

export const updatePartner = async (tx: Transaction, partnerId: string, content: PartnerContent) =>
  requireRow(
    await tx.query<PartnerRow>(
      sql`
      update partner set (${contentColumns}) = (${contentValues(content)}), updated_at = ${movedForward()}
      where id = ${partnerId} returning updated_at`,
      'update partner',
    ),
    'partner',
  );

export const hidePartner = (tx: Transaction, partnerId: string) =>
  tx.write(sql`update partner set deleted_at = concord_now() where id = ${partnerId}`);

/** 30 days, in hours: a day of the session's time zone can have 23 or 25. */
const restorePeriod = sql`interval '720 hours'`;
const isRestorable = sql`deleted_at > concord_now() - ${restorePeriod}`;

/** Locks a partner that is not deleted, or that can be restored. */
export const lockRestorable = (tx: Transaction, id: string) =>
  queryRow<PartnerRow & { deleted: boolean }>(
    tx,
    sql`
    select ${columns}, deleted_at is not null as deleted from partner
    where id = ${parseId('partner', id)} and (deleted_at is null or ${isRestorable})
    for update`,
  );

export const unhidePartner = async (tx: Transaction, partnerId: string) =>
  requireRow(
    await tx.query<PartnerRow>(sql`
      update partner set deleted_at = null, updated_at = ${movedForward()}
      where id = ${partnerId} returning ${columns}`),
    'partner',
  );

/**
 * Locks random partners that were deleted 30 days ago, so that a failing one cannot starve the rest. Returns
 * bare UUIDs.
 */
export const lockPurgeable = (tx: Transaction, limit: number) =>
  queryValues<string>(
    tx,
    sql`select id from partner where deleted_at <= concord_now() - ${restorePeriod} order by random() limit ${limit} for update skip locked`,
  );

export const purgePartner = (tx: Transaction, partnerId: string) =>
  tx.write(sql`delete from partner where id = ${partnerId}`);

export type PartnerFilter = { name?: string | undefined; vat_no?: string | undefined };
/** `visible`: the partners that the caller sees, as bare UUIDs. Null: all partners. */
type Selection = PartnerFilter & { visible: readonly string[] | null };

const sortColumns = {
  id: sql`id`,
  name: sql`name`,
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
} as const;
export type PartnerSort = keyof typeof sortColumns;

export const selectPartners = (on: Queryable, filter: Selection, page: Page<PartnerSort>) =>
  on.query<PartnerRow>(
    sql`select ${columns} from partner where ${matches(filter)} ${onPage(sortColumns, 'partner', page)}`,
  );

/**
 * Without a filter, the order makes PostgreSQL count in the index of partners that are not deleted, and not
 * in the table.
 */
export const countPartners = (totals: Totals, on: Queryable, filter: Selection) => {
  const { visible, name, vat_no } = filter;
  const from = sql`partner where ${matches(filter)}`;
  // Only the list of all partners is the same for every caller.
  if (visible !== null) return selectTotal(on, from);
  return totals(on, name === undefined && vat_no === undefined ? sql`${from} order by created_at` : from);
};

const matches = ({ name, vat_no, visible }: Selection) =>
  allOf(
    sql`deleted_at is null`,
    visible !== null && sql`id = ${anyOf(visible)}`,
    name !== undefined && sql`name ilike ${contains(name)}`,
    vat_no !== undefined && sql`vat_no ilike ${contains(vat_no)}`,
  );

type DeletedPartnerRow = {
  partner_id: string;
  name: string;
  deleted_at: Date;
  restorable_until: Date;
};

export const deletedPartners = (on: Queryable, name: string | undefined) =>
  listOf(on, 'partner', {
    columns: sql`id as partner_id, name, deleted_at, deleted_at + ${restorePeriod} as restorable_until`,
    from: sql`partner where ${allOf(isRestorable, name !== undefined && sql`name ilike ${contains(name)}`)}`,
    sorted: { id: sql`id`, name: sql`name`, deleted_at: sql`deleted_at` },
    toItem: (row: DeletedPartnerRow): DeletedPartner => ({
      id: formatId('partner', row.partner_id),
      ...withTextTimes(pick(row, ['name', 'deleted_at', 'restorable_until'])),
    }),
  });

/** The names of partners by id (bare UUIDs), also of deleted ones that can be restored. */
export async function selectPartnerNames(
  on: Queryable,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await on.query<{ id: string; name: string }>(
    sql`select id, name from partner where id = ${anyOf(ids)}`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Beside the representation of the partner, so its times stay. */
export const setSignInPolicy = (
  tx: Transaction,
  partnerId: string,
  { sso_required, max_age_seconds }: { sso_required: boolean; max_age_seconds: number },
) =>
  tx.write(sql`
    update partner set sso_required = ${sso_required}, sso_max_age_seconds = ${max_age_seconds} where id = ${partnerId}`);
