// Downloads the records that match the filters. The browser reads them page by page, up to a bound.
import type { AuditRecord } from '@concord/client';
import { useEffect, useState } from 'react';
import { formatNumber } from '#format/numbers.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { Dialog, DialogActions } from '#ui/dialog/dialog.tsx';
import { Problem, toError, Waiting } from '#ui/feedback/feedback.tsx';
import css from './audit.module.css';

/** So many records fit into the memory of any browser. */
const maxRecords = 20_000;
export const exportPageSize = 500;

type Props = {
  /** The pages of the filtered list, newest first. */
  read: (signal: AbortSignal) => AsyncIterable<readonly AuditRecord[]>;
  /** Without an ending: `nordlys-audit-log`. */
  fileName: string;
  onClose: () => void;
};
type Outcome = {
  readonly ndjson: string;
  readonly csv: string;
  readonly count: number;
  readonly isCut: boolean;
};

export function ExportDialog({ read, fileName, onClose }: Props) {
  const [count, setCount] = useState(0);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [abort, setAbort] = useState<AbortController | null>(null);

  // The files are in memory until the dialog is closed.
  useEffect(
    () => () => {
      if (outcome === null) return;
      URL.revokeObjectURL(outcome.ndjson);
      URL.revokeObjectURL(outcome.csv);
    },
    [outcome],
  );
  useEffect(() => () => abort?.abort(), [abort]);

  async function start() {
    const controller = new AbortController();
    setAbort(controller);
    setFailure(null);
    try {
      setOutcome(await collect(read(controller.signal), setCount));
    } catch (error) {
      if (!controller.signal.aborted) setFailure(toError(error));
    } finally {
      setAbort(null);
    }
  }

  return (
    <Dialog
      title="Export the audit log"
      description={`The records that match the filters, the newest ${formatNumber(maxRecords)} at most.`}
      onClose={onClose}
      staysOpen
    >
      {failure && <Problem error={toError(failure)} />}
      {abort && (
        <p role="status">
          <progress className={css.progress} max={maxRecords} value={count} aria-label="Records read" />
          {formatNumber(count)} records read
        </p>
      )}
      {outcome && (
        <p role="status">
          {formatNumber(outcome.count)} records.{' '}
          {outcome.isCut &&
            'There are more: filter by time to export them in parts, or read the API, which has no such bound.'}
        </p>
      )}
      <DialogActions>
        {abort && <Waiting />}
        {outcome === null ? (
          <Button look="primary" isBusy={abort !== null} onClick={() => void start()}>
            Read the records
          </Button>
        ) : (
          <>
            <LinkButton href={outcome.csv} download={`${fileName}.csv`}>
              Download CSV
            </LinkButton>
            <LinkButton look="primary" href={outcome.ndjson} download={`${fileName}.ndjson`}>
              Download NDJSON
            </LinkButton>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}

async function collect(
  pages: AsyncIterable<readonly AuditRecord[]>,
  onCount: (count: number) => void,
): Promise<Outcome> {
  const records: AuditRecord[] = [];
  let isCut = false;
  for await (const page of pages) {
    isCut = records.length + page.length > maxRecords;
    records.push(...page.slice(0, maxRecords - records.length));
    onCount(records.length);
    if (isCut) break;
  }
  const file = (text: string, type: string) => URL.createObjectURL(new Blob([text], { type }));
  return {
    ndjson: file(toNdjson(records), 'application/x-ndjson'),
    csv: file(toCsv(records), 'text/csv'),
    count: records.length,
    isCut,
  };
}

/** One record in each line, as the API has it. */
const toNdjson = (records: readonly AuditRecord[]): string =>
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
function toCsv(records: readonly AuditRecord[]): string {
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
