// Random choices that a seed repeats.

/** Another one in each run. FUZZ_SEED sets it. */
export const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

export type Random = ReturnType<typeof createRandom>;

export function createRandom(state: number) {
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const chance = (probability: number) => next() < probability;
  const pick = <T>(values: readonly T[]) => values[Math.floor(next() * values.length)] as T;
  return { chance, pick };
}
