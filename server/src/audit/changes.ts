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
  const was = new Map<string, unknown>(Object.entries(before ?? {}));
  const is = new Map<string, unknown>(Object.entries(after ?? {}));
  const changes: Record<string, Change> = {};
  for (const member of new Set([...was.keys(), ...is.keys()])) {
    const change = { before: was.get(member) ?? null, after: is.get(member) ?? null };
    if (implied.has(member) || isDeepStrictEqual(change.before, change.after)) continue;
    changes[member] = { before: shorten(change.before), after: shorten(change.after) };
  }
  return changes;
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
  const those = (arePersonal: boolean) =>
    Object.fromEntries(
      Object.entries(changes).filter(([member]) => personalMembers.includes(member) === arePersonal),
    );
  return { changes: those(false), personal: those(true) };
}
