// Reading the audit log: of one partner, or of everything.
import {
  type AuditFilter,
  type AuditRow,
  type RowAbout,
  selectAuditRows,
  selectRowsAbout,
} from '../../audit/index.ts';
import type { Person } from '../../base/feature.ts';
import type { ListSource } from '../../base/http/lists.ts';
import { formatId, parseId } from '../../base/ids.ts';
import type { Database } from '../../base/postgres/database.ts';
import { selectPartnerNames } from '../../partners/index.ts';
import type { AuditRecord } from './schema.ts';

/** By bare UUID, without purged partners. */
type Names = ReadonlyMap<string, string>;

const namesIn = (db: Database, rows: readonly AuditRow[]): Promise<Names> =>
  selectPartnerNames(db, [...new Set(rows.flatMap(({ partner_id }) => partner_id ?? []))]);

/** Undefined: no such record, or not of this partner. */
export async function findRecord(
  db: Database,
  id: string,
  filter: AuditFilter,
): Promise<AuditRecord | undefined> {
  if (parseId('audit_record', id) === null) return undefined;
  const [row] = await selectAuditRows(
    db,
    { ...filter, position: toPosition(id) },
    { after: null, descending: true, limit: 1 },
  );
  return row && show(row, filter, await namesIn(db, [row]));
}

export const listRecords = (db: Database, filter: AuditFilter): ListSource<'id', AuditRecord> => ({
  page: async ({ direction }, after, limit) => {
    const position = after === null ? null : toPosition(after.id);
    const rows = await selectAuditRows(db, filter, {
      after: position,
      descending: direction === 'desc',
      limit,
    });
    const names = await namesIn(db, rows);
    return rows.map((row) => show(row, filter, names));
  },
});

/** In the log of a partner, only operators see the addresses of operators. */
function show(row: AuditRow, { hidesOperators = false }: AuditFilter, names: Names): AuditRecord {
  const record = toRecord(row, names);
  return hidesOperators && row.actor_kind === 'operator'
    ? { ...record, actor: { ...record.actor, email: null } }
    : record;
}

const batchSize = 500;

/**
 * They show what others did, but not their credential or address. Agreements of another user are left out.
 */
export async function* readRecordsAbout(
  db: Database,
  { userId, email }: Person,
): AsyncGenerator<AuditRecord[]> {
  for (let after: string | undefined = '0'; after !== undefined; ) {
    const page = { after, limit: batchSize };
    const subjects = email === null ? [userId] : [userId, email];
    const rows: RowAbout[] = await selectRowsAbout(db, { userId, subjects }, page);
    const names = await namesIn(db, rows);
    yield rows
      .filter(({ actor_id, of_another }) => actor_id === userId || !of_another)
      .map((row) => {
        const record = toRecord(row, names);
        return row.actor_id === userId ? record : { ...record, credential: { ...record.credential, id: '' } };
      });
    after = rows.length < batchSize ? undefined : rows.at(-1)?.position;
  }
}

/** A position of the log, written as a UUID. */
const toId = (position: string) =>
  formatId(
    'audit_record',
    BigInt(position)
      .toString(16)
      .padStart(32, '0')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  );

/** Ids beyond all positions stand after every record. */
function toPosition(id: string): string {
  const value = BigInt(`0x${(parseId('audit_record', id) ?? '0').replaceAll('-', '')}`);
  const max = 2n ** 63n - 1n;
  return String(value > max ? max : value);
}

function toRecord(row: AuditRow, names: Names): AuditRecord {
  const [kind = '', ...rest] = row.credential.split(' ');
  const credentialId = rest.join(' ');
  return {
    id: toId(row.position),
    at: row.at.toISOString(),
    partner_id: row.partner_id === null ? null : formatId('partner', row.partner_id),
    partner_name: names.get(row.partner_id ?? '') ?? null,
    actor: {
      kind: row.actor_kind,
      id: row.actor_id,
      name: row.name,
      email: row.email,
      address: row.address,
    },
    credential: {
      kind: kind as AuditRecord['credential']['kind'],
      id: kind === 'token' ? formatId('access_token', credentialId) : credentialId,
    },
    request_id: row.request_id === '' ? null : row.request_id,
    action: row.action,
    target: row.target,
    target_name: row.personal?.name ?? null,
    outcome: row.outcome,
    details: row.details,
    changes: { ...row.changes, ...row.personal?.changes } as AuditRecord['changes'],
    email: row.personal?.email ?? null,
    erased: row.erased,
  };
}
