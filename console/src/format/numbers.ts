// Numbers in the language of the browser.

const whole = new Intl.NumberFormat();
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const byteUnits = ['B', 'KiB', 'MiB', 'GiB'];

export const formatNumber = (value: number): string => whole.format(value);
const leastShare = 0.001;
/** `part` of `all`. Nothing of nothing is a dash. Only nothing is 0%, and only all is 100%. */
export function formatShare(part: number, all: number): string {
  if (all === 0) return '–';
  const share = part / all;
  if (share > 0 && share < leastShare) return `< ${percent.format(leastShare)}`;
  if (share < 1 && share > 1 - leastShare) return `> ${percent.format(1 - leastShare)}`;
  return percent.format(share);
}
export const formatMs = (ms: number | null): string =>
  ms === null ? '–' : ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;

export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_024 && unit < byteUnits.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${byteUnits[unit] ?? ''}`;
}

/** `1 delivery`, `12 deliveries`. */
export const formatCount = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
