// The SQL of idempotent requests: their locks, and their answers, which are kept for 24 hours.
import sql from 'sql-template-tag';
import type { ErasePerson } from '../feature.ts';
import type { Queryable, Transaction } from '../postgres/database.ts';
import { deletionTask, type Some } from '../postgres/sql/deletion.ts';
import { hasRows, unnest } from '../postgres/sql/rows.ts';

/** `json` is the body as it was sent. A retry gets the same text. */
export type Answer = { status: number; headers: Record<string, string>; json: string };
export const ok = (json: string): Answer => ({ status: 200, headers: {}, json });
export const created = (location: string, json: string): Answer => ({
  status: 201,
  headers: { location },
  json,
});
export const noContent: Answer = { status: 204, headers: {}, json: '' };

/** Identifies a request. Null without an Idempotency-Key. */
export type IdempotentRequest = {
  method: string;
  path: string;
  key: string;
  bodyHash: Buffer;
  namesPerson: boolean;
} | null;

export type Keyed = NonNullable<IdempotentRequest> & { readonly principalId: string };

export const nameOf = ({ principalId, method, path, key }: Keyed): string =>
  JSON.stringify([principalId, method, path, key]);

export async function tryLock(tx: Transaction, requests: readonly Keyed[]): Promise<Set<string>> {
  const rows = await tx.query<{ name: string }>(
    sql`
    select name from unnest(${requests.map(nameOf)}::text[]) as given (name) where pg_try_advisory_xact_lock(hashtextextended(name, 0))`,
    'lock idempotent requests',
  );
  return new Set(rows.map(({ name }) => name));
}

type Row = {
  n: number;
  is_kept: boolean;
  body_hash: Buffer;
  status: number;
  headers: Record<string, string>;
  body: string;
};
/** `isKept` false: expired. It may be being deleted. */
export type Kept = { readonly isKept: boolean; readonly bodyHash: Buffer; readonly answer: Answer };

export async function selectAnswers(on: Queryable, requests: readonly Keyed[]): Promise<Map<string, Kept>> {
  const asked = requests.map((request, n) => ({ ...request, n }));
  const types = { principalId: 'text', key: 'text', method: 'text', path: 'text', n: 'int' };
  const rows = await on.query<Row>(
    sql`
    select given.n, created_at > concord_now() - interval '24 hours' as is_kept, body_hash, status, headers, body
    from ${unnest(asked, types)} join idempotent_answer using (principal_id, key, method, path)`,
    'select idempotent answers',
  );
  return new Map(
    rows.flatMap(({ n, is_kept: isKept, body_hash: bodyHash, status, headers, body }) => {
      const request = requests[n];
      return request
        ? [[nameOf(request), { isKept, bodyHash, answer: { status, headers, json: body } }] as const]
        : [];
    }),
  );
}

const answerTypes = {
  principalId: 'text',
  key: 'text',
  method: 'text',
  path: 'text',
  bodyHash: 'bytea',
  namesPerson: 'boolean',
  status: 'smallint',
  headers: 'jsonb',
  body: 'text',
};

export async function insertAnswers(
  tx: Transaction,
  answered: readonly { request: Keyed; answer: Answer }[],
): Promise<void> {
  const rows = answered.map(({ request, answer: { status, headers, json: body } }) => ({
    ...request,
    status,
    headers: JSON.stringify(headers),
    body,
  }));
  await tx.write(
    sql`
    insert into idempotent_answer
      (principal_id, key, method, path, body_hash, names_person, status, headers, body)
    select * from ${unnest(rows, answerTypes)}
    on conflict (principal_id, key, method, path) do update set
      body_hash = excluded.body_hash, names_person = excluded.names_person, status = excluded.status, headers = excluded.headers,
      body = excluded.body, created_at = excluded.created_at`,
    'keep idempotent answers',
  );
}

/** Finds an address or a name as the value of a member. */
const memberWith = (text: string) =>
  `("(?:email|name|decided_by|decided_by_email)":)${JSON.stringify(text).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`;
/** Texts of people about an access request. */
const writtenTexts = '("(?:reason|note)":)"(?:[^"\\\\]|\\\\.)*"';
const blanked = (patterns: readonly string[]) =>
  patterns.reduce((body, pattern) => sql`regexp_replace(${body}, ${pattern}, ${'\\1""'}, 'gi')`, sql`body`);

/** Answers to others stay, so that a retry has no second effect, without the name of the person. */
export const eraseFromAnswers: ErasePerson = async (tx, { userId, names, emails }) => {
  await tx.query(sql`delete from idempotent_answer where principal_id = ${userId}`);
  await tx.query(sql`delete from idempotent_answer where names_person and strpos(path, ${userId}) > 0`);
  const texts = [...emails, ...names];
  const named = texts.map(memberWith);
  // Most answers have none of the texts. Finding that with many expressions would take longer than a statement may.
  await tx.query(sql`
    update idempotent_answer set body = ${blanked([...named, writtenTexts])}
    where names_person and case when exists (
      select from unnest(array(select lower(text) from unnest(${texts.map((text) => JSON.stringify(text))}::text[]) text)) text,
        lower(body) lowered where strpos(lowered, text) > 0) then body ~* any(${named}::text[]) end`);
};

const expired: Some = [sql`from idempotent_answer`, sql`created_at < concord_now() - interval '24 hours'`];

export const deleteExpiredAnswers = deletionTask({
  name: 'delete expired idempotent answers',
  intervalMs: 10_000,
  hasWork: (on) => hasRows(on, sql`select ${expired[0]} where ${expired[1]} limit 1`),
  of: [expired],
});
