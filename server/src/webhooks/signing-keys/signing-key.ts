// The life of a signing key: published, active for a month, and published for three more weeks. Pure: times
// decide the state.
import type { Environment } from '../environments.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** How long a key is published before it signs. Receivers cache a JWKS for less (25 h with our headers). */
const leadMs = 48 * hourMs;
const activeMs = 30 * dayMs;
/** How long it stays published after its last signature. The interface requires 14 days. */
const keptMs = 21 * dayMs;

/** Times are milliseconds since 1970. */
export type SigningKey = Readonly<{
  kid: string;
  environment: Environment;
  sequence: number;
  createdAt: number;
  activatesAt: number;
  retiresAt: number;
  revokedAt: number | null;
}>;

export const keyStates = ['pending', 'active', 'retired', 'removed', 'revoked'] as const;
export type KeyState = (typeof keyStates)[number];

export function stateOf({ activatesAt, retiresAt, revokedAt }: SigningKey, now: number): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (now < activatesAt) return 'pending';
  if (now < retiresAt) return 'active';
  return now < retiresAt + keptMs ? 'retired' : 'removed';
}

/** As the wire and the log have them. */
export const timesOf = ({ activatesAt, retiresAt, revokedAt }: SigningKey) => ({
  activates_at: new Date(activatesAt).toISOString(),
  retires_at: new Date(retiresAt).toISOString(),
  revoked_at: revokedAt === null ? null : new Date(revokedAt).toISOString(),
});

export const isPublished = (key: SigningKey, now: number) =>
  ['pending', 'active', 'retired'].includes(stateOf(key, now));

type Period = { activatesAt: number; retiresAt: number };
/** Moves the times of a key. */
export type Move = Readonly<{ change: string; to: Period }>;
/** After it one key signs and its successor is published, or another step follows. */
type Step = { readonly create: Period } | Move;

const monthFrom = (activatesAt: number): Period => ({ activatesAt, retiresAt: activatesAt + activeMs });

/**
 * The next step for the keys of one environment, or null if there is nothing to do. One key signs. The next
 * key takes over when that key retires, but only after it has been published long enough; until then the
 * active key keeps signing. The last key gets a successor in time. If no key signs, at the very first start
 * or after a revocation, the next key signs at once.
 */
export function nextStep(keys: readonly SigningKey[], now: number): Step | null {
  const chain = keys
    .filter(({ revokedAt, retiresAt }) => revokedAt === null && now < retiresAt)
    .toSorted((one, two) => one.activatesAt - two.activatesAt);
  const [first, last] = [chain[0], chain.at(-1)];
  if (!first || !last) return { create: monthFrom(now) };
  if (first.activatesAt > now) return { change: first.kid, to: monthFrom(now) };
  for (const [index, key] of chain.entries()) {
    const previous = chain[index - 1];
    if (!previous) continue;
    const takesOver = Math.max(previous.retiresAt, key.createdAt + leadMs);
    if (previous.retiresAt < takesOver)
      return { change: previous.kid, to: { ...previous, retiresAt: takesOver } };
    if (key.activatesAt !== takesOver) return { change: key.kid, to: monthFrom(takesOver) };
  }
  if (last.activatesAt > now + leadMs) return null;
  const takesOver = Math.max(last.retiresAt, now + leadMs);
  if (last.retiresAt < takesOver) return { change: last.kid, to: { ...last, retiresAt: takesOver } };
  return { create: monthFrom(takesOver) };
}

/**
 * The steps of a rotation that an operator asks for: the next key takes over once it has been published long
 * enough, or at once.
 * Receivers whose copy of the JWKS is older than that key refuse its signatures until they read the JWKS
 * again.
 */
export function rotationSteps(keys: readonly SigningKey[], now: number, isImmediate: boolean): Move[] {
  const active = keys.find((key) => stateOf(key, now) === 'active');
  const [pending] = keys
    .filter((key) => stateOf(key, now) === 'pending')
    .toSorted((one, two) => one.activatesAt - two.activatesAt);
  if (!active || !pending) return [];
  // The database stores milliseconds. A key signs for at least one.
  const at = isImmediate
    ? Math.max(now, active.activatesAt + 1)
    : Math.max(pending.createdAt + leadMs, now + 1);
  if (at >= pending.activatesAt) return [];
  return [
    { change: active.kid, to: { activatesAt: active.activatesAt, retiresAt: at } },
    { change: pending.kid, to: monthFrom(at) },
  ];
}
