// What a change did to each member of a representation. Pure.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

type Change = { readonly before: unknown; readonly after: unknown };
export type Changes = Readonly<Record<string, Change>>;

/** They follow from the row itself. */
const implied = new Set(['id', 'account_id', 'created_at', 'updated_at']);

/** A longer value would fill the log, which is kept for long. */
const maxLength = 8_192;

/** The members that differ. `before` null: the object is new. `after` null: it is deleted. */
export function changesBetween(before: object | null, after: object | null): Changes {
  const [was, is] = [before ?? {}, after ?? {}] as Record<string, unknown>[];
  const members = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])].filter(
    (member) => !implied.has(member),
  );
  const read = (from: Record<string, unknown> | undefined, member: string) => from?.[member] ?? null;
  return Object.fromEntries(
    members
      .filter((member) => !isDeepStrictEqual(read(was, member), read(is, member)))
      .map((member) => [member, { before: shorten(read(was, member)), after: shorten(read(is, member)) }]),
  );
}

/** Its length and hash, so that two long values differ. */
function shorten(value: unknown): unknown {
  const json = JSON.stringify(value);
  if (json.length <= maxLength) return value;
  return `(${json.length} characters of JSON, SHA-256 ${createHash('sha256').update(json).digest('hex')})`;
}

/** A secret is in the log by name only. */
export const secretChange = (member: string, { before = true, after = true } = {}): Changes => ({
  [member]: { before: before ? '(secret)' : null, after: after ? '(secret)' : null },
});

/** Splits off personal members, which are stored where they can be erased. */
export function splitChanges(
  changes: Changes,
  personalMembers: readonly string[],
): { changes: Changes; personal: Changes } {
  const entries = Object.entries(changes);
  const isPersonal = ([member]: [string, Change]) => personalMembers.includes(member);
  return {
    changes: Object.fromEntries(entries.filter((entry) => !isPersonal(entry))),
    personal: Object.fromEntries(entries.filter(isPersonal)),
  };
}
