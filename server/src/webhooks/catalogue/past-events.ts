// Checks whether a schema fits the last events of its type (behaviour W26, W33).
import type { Static } from 'typebox';
import { faultAt, invalidRequest, ServiceError } from '../../base/errors.ts';
import { formatId } from '../../base/ids.ts';
import type { Queryable } from '../../base/postgres/database.ts';
import type { DataChecks } from './data-checks.ts';
import type { EventTypeCheck } from './schema.ts';
import { selectEventsOfType } from './store.ts';

const maxEvents = 1_000;
/** 1.3 MiB at most, since an event has 64 KiB. */
const pageSize = 20;
const deadlineMs = 10_000;
const defaultBytes = 16 * 2 ** 20;
const maxFailures = 20;

export type Past = Static<typeof EventTypeCheck>;

/** Checks page by page, since all data can be 64 MiB. It stops early at its deadline and at `maxBytes`. */
export async function checkPast(
  on: Queryable,
  checks: DataChecks,
  { name, schema }: { name: string; schema: object },
  maxBytes = defaultBytes,
): Promise<Past> {
  const start = performance.now();
  const past: Past = { checked: 0, failed: 0, complete: true, failures: [] };
  let bytes = 0;
  let before: string | null = null;
  for (;;) {
    const page = await selectEventsOfType(on, name, before, Math.min(pageSize, maxEvents - past.checked));
    const misfits = await checks.findMisfits(
      schema,
      page.map(({ body }) => body),
    );
    past.checked += page.length;
    past.failed += misfits.length;
    for (const { index, pointer, problem } of misfits.slice(0, maxFailures - past.failures.length)) {
      const { id = '', partner_id = '' } = page[index] ?? {};
      past.failures.push({
        event_id: formatId('event', id),
        partner_id: formatId('partner', partner_id),
        pointer,
        message: problem,
      });
    }
    bytes += page.reduce((sum, { body }) => sum + body.length, 0);
    before = page.at(-1)?.id ?? null;
    if (page.length < pageSize || past.checked >= maxEvents) return past;
    if (bytes > maxBytes || performance.now() - start > deadlineMs) return { ...past, complete: false };
  }
}

/** @throws ServiceError event_type_refuses_events */
export async function requireFit(
  on: Queryable,
  checks: DataChecks,
  type: { name: string; schema: object },
): Promise<void> {
  const { checked, failed, complete, failures } = await checkPast(on, checks, type, Infinity);
  const tooLong = 'takes too long to check against the last events of the type; ?force=true skips this check';
  if (!complete) throw invalidRequest('/schema', tooLong);
  const [first] = failures;
  if (first === undefined) return;
  throw new ServiceError('event_type_refuses_events', {
    detail: `The new schema refuses ${failed} of the last ${checked} events of this type. Send ?force=true to change the type anyway.`,
    faults: [faultAt('/schema', `refuses ${first.event_id}: ${first.message}`, 'invalid_value')],
  });
}
