// Checks whether a new schema of an event type fits the last events of the type (behaviour W26).
import { faultAt, invalidRequest, ServiceError } from '../../errors.ts';
import { formatId } from '../../ids.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { DataChecks } from './data-checks.ts';
import { selectEventsOfType } from './store.ts';

const maxEvents = 1_000;
/** 1.3 MiB at most, since an event has 64 KiB. */
const pageSize = 20;
const deadlineMs = 10_000;

/** Checks page by page in a thread, since the data of all can be 64 MiB. @throws ServiceError event_type_refuses_events */
export async function requireFit(
  on: Queryable,
  checks: DataChecks,
  { name, schema }: { name: string; schema: object },
): Promise<void> {
  const start = performance.now();
  let [checked, refused] = [0, 0];
  let first: string | undefined;
  let before: string | null = null;
  for (;;) {
    const page = await selectEventsOfType(on, name, before, Math.min(pageSize, maxEvents - checked));
    const bodies = page.map(({ body }) => body);
    const misfits = await checks.findMisfits(schema, bodies);
    for (const { index, problem } of misfits) first ??= `refuses ${formatId('event', page[index]?.id ?? '')}: ${problem}`;
    refused += misfits.length;
    checked += page.length;
    before = page.at(-1)?.id ?? null;
    if (page.length < pageSize || checked >= maxEvents) break;
    if (performance.now() - start > deadlineMs) {
      throw invalidRequest(
        '/schema',
        'takes too long to check against the last events of the type; ?force=true skips this check',
      );
    }
  }
  if (first === undefined) return;
  throw new ServiceError('event_type_refuses_events', {
    detail: `The new schema refuses ${refused} of the last ${checked} events of this type. Send ?force=true to change the type anyway.`,
    faults: [faultAt('/schema', first, 'invalid_value')],
  });
}
