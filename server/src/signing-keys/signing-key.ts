// The life of a signing key: published, active for a month, still published for three weeks. Pure: states follow from moments.

export const environments = ['live', 'sandbox'] as const;
export type Environment = (typeof environments)[number];

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** So long a key is published before it signs: longer than any receiver keeps a JWKS (25 h with our headers). */
const leadMs = 48 * hourMs;
/** So long it signs. */
const activeMs = 30 * dayMs;
/** So long it stays published after its last signature; the interface asks for 14 days. */
const keptMs = 21 * dayMs;

/** Moments in milliseconds since 1970. */
export type SigningKey = {
  readonly kid: string;
  readonly environment: Environment;
  readonly sequence: number;
  readonly createdAt: number;
  readonly activatesAt: number;
  readonly retiresAt: number;
  readonly revokedAt: number | null;
};

export type KeyState = 'pending' | 'active' | 'retired' | 'removed' | 'revoked';

export function stateOf({ activatesAt, retiresAt, revokedAt }: SigningKey, now: number): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (now < activatesAt) return 'pending';
  if (now < retiresAt) return 'active';
  return now < retiresAt + keptMs ? 'retired' : 'removed';
}

/** In the JWKS: a receiver may be asked to trust it. */
export const isPublished = (key: SigningKey, now: number) => ['pending', 'active', 'retired'].includes(stateOf(key, now));

type Period = { activatesAt: number; retiresAt: number };
/** What has to be done so that one key signs and its successor is published. */
export type Step = { readonly create: Period } | { readonly change: string; readonly to: Period };

const monthFrom = (activatesAt: number): Period => ({ activatesAt, retiresAt: activatesAt + activeMs });

/**
 * The next step for the keys of one environment, or null when nothing is to be done. One key signs; each one after it takes over when
 * the one before it retires, and not before it has been published long enough: until then the one before signs on. The last of them
 * gets a successor before it could be needed. Where none signs, the very first or after a revocation, the next one does at once.
 */
export function nextStep(keys: readonly SigningKey[], now: number): Step | null {
  const chain = keys
    .filter(({ revokedAt, retiresAt }) => revokedAt === null && now < retiresAt)
    .toSorted((one, two) => one.activatesAt - two.activatesAt);
  const [first, last] = [chain[0], chain.at(-1)];
  if (!first || !last) return { create: monthFrom(now) };
  if (first.activatesAt > now) return { change: first.kid, to: monthFrom(now) };
  for (const [index, key] of chain.entries()) {
    const before = chain[index - 1];
    if (!before) continue;
    const takesOver = Math.max(before.retiresAt, key.createdAt + leadMs);
    if (before.retiresAt < takesOver) return { change: before.kid, to: { ...before, retiresAt: takesOver } };
    if (key.activatesAt !== takesOver) return { change: key.kid, to: monthFrom(takesOver) };
  }
  if (last.activatesAt > now + leadMs) return null;
  const takesOver = Math.max(last.retiresAt, now + leadMs);
  if (last.retiresAt < takesOver) return { change: last.kid, to: { ...last, retiresAt: takesOver } };
  return { create: monthFrom(takesOver) };
}

/** The steps of a rotation by hand: the successor takes over as soon as it has been published long enough. */
export function rotationSteps(keys: readonly SigningKey[], now: number): Extract<Step, { change: string }>[] {
  const active = keys.find((key) => stateOf(key, now) === 'active');
  const [pending] = keys
    .filter((key) => stateOf(key, now) === 'pending')
    .toSorted((one, two) => one.activatesAt - two.activatesAt);
  if (!active || !pending) return [];
  // A moment of the database is a millisecond: the one that signs now signs until the next.
  const at = Math.max(pending.createdAt + leadMs, now + 1);
  if (at >= pending.activatesAt) return [];
  return [
    { change: active.kid, to: { activatesAt: active.activatesAt, retiresAt: at } },
    { change: pending.kid, to: monthFrom(at) },
  ];
}
