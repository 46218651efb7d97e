// The SQL of search: a short list of candidates for each kind.
import sql, { join, type Sql } from 'sql-template-tag';
import { formatId } from '../../base/ids.ts';
import type { Queryable } from '../../base/postgres/database.ts';
import { contains } from '../../base/postgres/sql/text.ts';
import { seenBy } from '../../webhooks/index.ts';
import type { Kind, SearchResult } from './schema.ts';

/** `partnerIds` null: all partners. */
export type Place = { readonly kind: Kind; readonly partnerIds: readonly string[] | null };

const maxOfKind = 20;
/** Finding and ordering all of a million would take a second. */
const maxCandidates = 200;

/**
 * Its table joined with its partner, what identifies it, and the texts that are searched, the label first.
 */
const sources: Readonly<Record<Kind, { from: Sql; id: Sql; label: Sql; texts: readonly Sql[] }>> = {
  partner: { from: sql`partner`, id: sql`partner.id`, label: sql`partner.name`, texts: [sql`partner.name`] },
  agreement: ofPartner(sql`agreement`, sql`agreement.email`, [sql`agreement.email`]),
  user: {
    from: sql`auth."user" account`,
    id: sql`account.id`,
    label: sql`account.email`,
    texts: [sql`account.email`],
  },
  webhook_endpoint: ofPartner(sql`webhook_endpoint`, sql`webhook_endpoint.url`, [
    sql`webhook_endpoint.url`,
    sql`webhook_endpoint.description`,
  ]),
  event: ofPartner(sql`event`, sql`event.type`, []),
  delivery: ofPartner(sql`delivery`, sql`delivery.event_type`, []),
  event_type: {
    from: sql`event_type`,
    id: sql`event_type.name`,
    label: sql`event_type.name`,
    texts: [sql`event_type.name`, sql`event_type.description`],
  },
};

function ofPartner(table: Sql, label: Sql, texts: readonly Sql[]) {
  return {
    from: sql`${table} join partner on partner.id = ${table}.partner_id`,
    id: sql`${table}.id`,
    label,
    texts,
  };
}

type Row = { kind: Kind; id: string; label: string; partner_id: string | null; partner_name: string | null };

/** `id`: a bare UUID, except for users. */
export async function selectById(on: Queryable, place: Place, id: string): Promise<SearchResult[]> {
  return (await on.query<Row>(candidates(place, sql`${sources[place.kind].id} = ${id}`))).map(toResult);
}

/** In the order of `places`: equal labels first, then those that begin with the text. */
export async function selectByText(
  on: Queryable,
  places: readonly Place[],
  text: string,
): Promise<SearchResult[]> {
  const searched = places.filter(({ kind }) => sources[kind].texts.length > 0);
  if (searched.length === 0) return [];
  const rank = sql`lower(label) = lower(${text}) desc, starts_with(lower(label), lower(${text})) desc, label, id`;
  const parts = searched.map((place, index) => {
    const found = candidates(place, matches(sources[place.kind].texts, text));
    return sql`(select ${index}::int as place, found.*, row_number() over (order by ${rank}) as rank from (${found}) found order by rank limit ${maxOfKind})`;
  });
  return (
    await on.query<Row>(sql`select * from (${join(parts, ' union all ')}) found order by place, rank`)
  ).map(toResult);
}

/** The index needs three characters, or two at the beginning of a word. */
function matches(texts: readonly Sql[], text: string): Sql {
  const pattern = contains(text);
  const patterns = [...text].length > 2 ? [pattern] : [pattern.slice(1), `% ${pattern.slice(1)}`];
  const conditions = texts.flatMap((column) => patterns.map((each) => sql`${column} ilike ${each}`));
  return sql`(${join(conditions, ' or ')})`;
}

function candidates({ kind, partnerIds }: Place, condition: Sql): Sql {
  const { from, id, label } = sources[kind];
  if (kind === 'user' || kind === 'event_type') {
    return sql`select ${kind} as kind, ${id}::text as id, ${label} as label, null as partner_id, null as partner_name
      from ${from} where ${kind === 'event_type' ? sql`archived_at is null and ${seenBy(partnerIds)} and` : sql``} ${condition} limit ${maxCandidates}`;
  }
  const within = partnerIds === null ? sql`` : sql`and partner.id = any (${[...partnerIds]}::uuid[])`;
  return sql`select ${kind} as kind, ${id}::text as id, ${label} as label, partner.id::text as partner_id, partner.name as partner_name
    from ${from} where partner.deleted_at is null ${within} and ${condition} limit ${maxCandidates}`;
}

const toResult = ({ kind, id, label, partner_id, partner_name }: Row): SearchResult => ({
  kind,
  id: kind === 'user' || kind === 'event_type' ? id : formatId(kind, id),
  label,
  partner_name,
  partner_id: partner_id === null ? null : formatId('partner', partner_id),
});
