/** A browser can refuse to store, or have no room. Then nothing is kept. */
export function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}
