// A finding of the doctor: how bad it is, what is wrong, and what to do.

export const levels = ['ok', 'note', 'warning', 'error'] as const;
export type Level = (typeof levels)[number];

export type Finding = {
  readonly level: Level;
  readonly text: string;
  /** What to do. Null: nothing. */
  readonly action: string | null;
};

export const ok = (text: string): Finding => ({ level: 'ok', text, action: null });
const found =
  (level: Level) =>
  (text: string, action: string): Finding => ({ level, text, action });
export const warning = found('warning');
export const error = found('error');
export const note = (text: string, action: string | null = null): Finding => ({
  level: 'note',
  text,
  action,
});

/** One area, examined by itself. It must change nothing. */
export type Check = {
  readonly area: string;
  readonly timeoutMs: number;
  readonly run: () => Promise<readonly Finding[]> | readonly Finding[];
};

/** What was found. False, null or undefined: it is not so. */
type Found = Finding | false | null | undefined;

export const allOf = (found: readonly Found[]): Finding[] => found.filter((each) => !!each);

/** All findings, after a line that all is well if nothing is wrong. */
export function orOk(found: readonly Found[], text: string): readonly Finding[] {
  const findings = allOf(found);
  const isWell = findings.every(({ level }) => level === 'ok' || level === 'note');
  return isWell ? [ok(text), ...findings] : findings;
}

/** `1 mail`, `2 mails`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const secondsOf = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
};

export const mebibyte = 1_048_576;
export const sizeOf = (bytes: number): string =>
  bytes < 10_240 * mebibyte
    ? `${Math.round(bytes / mebibyte)} MiB`
    : `${Math.round(bytes / mebibyte / 1_024)} GiB`;
