// Records of the audit log as files.
import type { AuditRecord } from '@concord/client';

/** One record in each line, as the API has it. */
export const toNdjson = (records: readonly AuditRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

const columns: readonly (readonly [string, (record: AuditRecord) => unknown])[] = [
  ['at', ({ at }) => at],
  ['action', ({ action }) => action],
  ['outcome', ({ outcome }) => outcome],
  ['actor_kind', ({ actor }) => actor.kind],
  ['actor_id', ({ actor }) => actor.id],
  ['actor_name', ({ actor }) => actor.name],
  ['actor_email', ({ actor }) => actor.email],
  ['address', ({ actor }) => actor.address],
  ['credential_kind', ({ credential }) => credential.kind],
  ['credential_id', ({ credential }) => credential.id],
  ['partner_id', ({ partner_id }) => partner_id],
  ['partner_name', ({ partner_name }) => partner_name],
  ['target', ({ target }) => target],
  ['target_name', ({ target_name }) => target_name],
  ['email', ({ email }) => email],
  ['request_id', ({ request_id }) => request_id],
  ['changes', ({ changes }) => JSON.stringify(changes)],
  ['details', ({ details }) => JSON.stringify(details)],
];

/** RFC 4180. A value that a spreadsheet would take for a formula gets an apostrophe before it. */
export function toCsv(records: readonly AuditRecord[]): string {
  const cell = (value: unknown) => {
    const text = value === null || value === undefined ? '' : String(value);
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = [
    columns.map(([name]) => name),
    ...records.map((record) => columns.map(([, read]) => cell(read(record)))),
  ];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}
