// The scheduled tasks of the audit log.
import type { Secret } from '../base/config-values.ts';
import type { ScheduledTask } from '../base/postgres/scheduled-tasks.ts';
import { createSealKeys } from './seals/keys.ts';
import { createRetention, createSealing } from './seals/sealing.ts';
import { erasing } from './store.ts';

/** `retentionMs` null: rows are kept for ever. */
type Options = { secrets: readonly Secret[]; retentionMs: number | null };

export function createAuditTasks({ secrets, retentionMs }: Options): ScheduledTask[] {
  const keys = createSealKeys(secrets);
  return [
    createSealing(keys),
    erasing,
    ...(retentionMs === null ? [] : [createRetention(keys, retentionMs)]),
  ];
}
