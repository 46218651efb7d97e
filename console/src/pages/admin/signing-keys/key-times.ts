// The life of a signing key as times: published, signing, retired, and gone (behaviour W6).
import type { SigningKey } from '@concord/client';

const hourMs = 3_600_000;
/** So long a key is published before it signs. */
const leadMs = 48 * hourMs;
/** So long a key stays published after it stopped signing. */
const keptMs = 21 * 24 * hourMs;

export type Phase = {
  readonly state: 'pending' | 'active' | 'retired';
  readonly from: number;
  readonly to: number;
};

/** A revocation ends everything at once. */
export function phasesOf({ created_at, activates_at, retires_at, revoked_at }: SigningKey): Phase[] {
  const [created, activates, retires] = [created_at, activates_at, retires_at].map(Date.parse) as [
    number,
    number,
    number,
  ];
  const end = revoked_at === null ? Number.POSITIVE_INFINITY : Date.parse(revoked_at);
  const phases: Phase[] = [
    { state: 'pending', from: created, to: activates },
    { state: 'active', from: activates, to: retires },
    { state: 'retired', from: retires, to: retires + keptMs },
  ];
  return phases
    .map((phase) => ({ ...phase, to: Math.min(phase.to, end) }))
    .filter(({ from, to }) => to > from);
}

/** When the next key would sign after a rotation. Null: no next key is published. */
export function rotatesAt(keys: readonly SigningKey[], now: number): number | null {
  const created = keys
    .filter(({ state }) => state === 'pending')
    .map(({ created_at }) => Date.parse(created_at));
  return created.length === 0 ? null : Math.max(Math.min(...created) + leadMs, now);
}
