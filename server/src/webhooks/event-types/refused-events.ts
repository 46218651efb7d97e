// Checks whether a new schema of an event type fits the last events of the type (behaviour W26).
import { setImmediate } from 'node:timers/promises';
import { faultAt, invalidRequest, ServiceError } from '../../errors.ts';
import { formatId } from '../../ids.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Data, Misfit } from './check-data.ts';
import { selectEventsOfType } from './store.ts';

const maxEvents = 1_000;
/** 1.3 MiB at most, since an event has 64 KiB. */
const pageSize = 20;
const deadlineMs = 10_000;

/** Finds the first data that the new schema refuses. */
type FindMisfit = (data: readonly Data[]) => Promise<Misfit | null>;

/** Reads pages and gives way after each event, since the data of all can be 64 MiB. @throws ServiceError event_type_refuses_events */
export async function requireFit(on: Queryable, name: string, findMisfit: FindMisfit): Promise<void> {
  const start = performance.now();
  let [checked, refused] = [0, 0];
  let first: string | undefined;
  let before: string | null = null;
  for (;;) {
    const page = await selectEventsOfType(on, name, before, Math.min(pageSize, maxEvents - checked));
    let rest: (Data & { id: string })[] = [];
    for (const { id, body } of page) {
      await setImmediate();
      rest.push({ id, schema: 0, text: JSON.stringify(JSON.parse(body).data), pointer: '/data' });
    }
    while (rest.length > 0) {
      if (performance.now() - start > deadlineMs) {
        throw invalidRequest(
          '/schema',
          'takes too long to check against the last events of the type; ?force=true skips this check',
        );
      }
      const misfit = await findMisfit(rest);
      if (!misfit) break;
      refused++;
      first ??= `refuses ${formatId('event', rest[misfit.index]?.id ?? '')}: ${misfit.faults[0]?.message}`;
      rest = rest.slice(misfit.index + 1);
      await setImmediate();
    }
    checked += page.length;
    before = page.at(-1)?.id ?? null;
    if (page.length < pageSize || checked >= maxEvents) break;
  }
  if (first === undefined) return;
  throw new ServiceError('event_type_refuses_events', {
    detail: `The new schema refuses ${refused} of the last ${checked} events of this type. Send ?force=true to change the type anyway.`,
    faults: [faultAt('/schema', first, 'invalid_value')],
  });
}
