// Checks whether a new schema of an event type fits the last events of the type (behaviour W26).
import { setImmediate } from 'node:timers/promises';
import { faultAt, ServiceError } from '../../errors.ts';
import { formatId } from '../../ids.ts';
import type { Queryable } from '../../postgres/database.ts';
import { selectEventsOfType } from './store.ts';

const maxEvents = 1_000;
/** 1.3 MiB at most, since an event has 64 KiB. */
const pageSize = 20;

/** Says what is wrong with the data of an event, or null. */
type FindFault = (data: unknown) => string | null | Promise<string | null>;

/** Reads pages and gives way after each event, since the data of all can be 64 MiB. @throws ServiceError event_type_refuses_events */
export async function requireFit(on: Queryable, name: string, findFault: FindFault): Promise<void> {
  let [checked, refused] = [0, 0];
  let first: string | undefined;
  let before: string | null = null;
  for (;;) {
    const page = await selectEventsOfType(on, name, before, Math.min(pageSize, maxEvents - checked));
    for (const { id, body } of page) {
      await setImmediate();
      const fault = await findFault(JSON.parse(body).data);
      if (fault === null) continue;
      refused++;
      first ??= `refuses ${formatId('event', id)}: ${fault}`;
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
