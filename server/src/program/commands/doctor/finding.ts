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
export const note = (text: string, action: string | null = null): Finding => ({
  level: 'note',
  text,
  action,
});
export const warning = (text: string, action: string): Finding => ({ level: 'warning', text, action });
export const error = (text: string, action: string): Finding => ({ level: 'error', text, action });

/** One area, examined by itself. It must change nothing. */
export type Check = {
  readonly area: string;
  readonly timeoutMs: number;
  readonly run: () => Promise<readonly Finding[]> | readonly Finding[];
};

/** All findings, after a line that all is well if nothing is wrong. */
export const orOk = (findings: readonly Finding[], text: string): readonly Finding[] =>
  findings.some(({ level }) => level === 'warning' || level === 'error') ? findings : [ok(text), ...findings];

/** `1 mail`, `2 mails`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const secondsOf = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
};

const mebibyte = 1_048_576;
export const sizeOf = (bytes: number): string =>
  bytes < 10_240 * mebibyte
    ? `${Math.round(bytes / mebibyte)} MiB`
    : `${Math.round(bytes / mebibyte / 1_024)} GiB`;
