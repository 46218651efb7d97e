// Numbers of several measurements, and the clock that all processes of a machine share.

/** The value that this share of all values does not exceed; `share` is between 0 and 1. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
}

/** Milliseconds of the monotonic clock of the machine. */
export const now = () => Number(process.hrtime.bigint()) / 1e6;
