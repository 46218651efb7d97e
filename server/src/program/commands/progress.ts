// Progress of a long command, in words that people read.

const everyMs = 5_000;

/** One line every five seconds at most. */
export function reportEvery(report: (line: string) => void): (line: string) => void {
  let nextAt = performance.now() + everyMs;
  return (line) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + everyMs;
    report(line);
  };
}

export const formatMegabytes = (bytes: number): string =>
  `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 2 : 0)} MB`;
export const formatCount = (count: number): string => count.toLocaleString('en-US');
