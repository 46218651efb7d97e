// Counts by key. A key whose count is back at zero takes no memory.
export function createTally() {
  const counts = new Map<string, number>();
  const of = (key: string) => counts.get(key) ?? 0;
  return {
    of,
    add(key: string, amount: number): void {
      const sum = of(key) + amount;
      if (sum > 0) counts.set(key, sum);
      else counts.delete(key);
    },
  };
}
