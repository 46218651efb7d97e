// The audit log as a feature: its scheduled tasks.
import type { Secret } from '../config-values.ts';
import type { Feature } from '../feature.ts';
import { createSealKeys } from './seals/keys.ts';
import { createRetention, createSealing } from './seals/sealing.ts';

/** `retentionMs` null: rows are kept for ever. */
type Options = { secrets: readonly Secret[]; retentionMs: number | null };

export function createAudit({ secrets, retentionMs }: Options): Feature {
  const keys = createSealKeys(secrets);
  return { tasks: [createSealing(keys), ...(retentionMs === null ? [] : [createRetention(keys, retentionMs)])] };
}
