// Times in `<input type="datetime-local">`, which has no time zone: that of the browser.

/** `Europe/Oslo`. */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Empty for null, and for what is no time. */
export function toLocal(time: string | Date | null): string {
  const moment = new Date(time ?? Number.NaN);
  if (Number.isNaN(moment.getTime())) return '';
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** RFC 3339. Empty and null stay what they are. */
export function fromLocal(text: string): string;
export function fromLocal(text: string | null): string | null;
export function fromLocal(text: string | null): string | null {
  return text ? new Date(text).toISOString() : text;
}
