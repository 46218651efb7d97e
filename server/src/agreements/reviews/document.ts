// The document of a review: CSV (RFC 4180) that no spreadsheet takes for formulas. Pure.
import type { Review, ReviewItem } from './schema.ts';

const columns = [
  'partner',
  'opened_at',
  'due_at',
  'closed_at',
  'agreement_id',
  'name',
  'email',
  'kind',
  'permissions',
  'groups',
  'decision',
  'decided_at',
  'decided_by',
  'decided_by_email',
] as const;

export const header = toLine(columns);

export const lineOf = (partner: string, { opened_at, due_at, closed_at }: Review, item: ReviewItem) =>
  toLine([
    partner,
    opened_at,
    due_at,
    closed_at,
    item.id,
    item.name,
    item.email,
    item.service_account ? 'service account' : item.owner ? 'owner' : 'member',
    item.permissions.join(' '),
    item.group_names.join('; '),
    item.decision,
    item.decided_at,
    item.decided_by,
    item.decided_by_email,
  ]);

function toLine(cells: readonly (string | null)[]) {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/**
 * A quote before `=` and others makes it text in a spreadsheet, also in one that splits cells at semicolons or tabs,
 * and lines without regard to our quotes.
 */
function toCell(value: string | null) {
  const safe = (value ?? '').replaceAll(
    /^(?=[=+\-@\t\r\n＝＋－＠])|(?=[=+\-@＝＋－＠])(?<=[;\t\r\n]\s*)/g,
    "'",
  );
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
