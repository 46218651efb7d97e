// The value of <input type="datetime-local">, which has no time zone.

/** `2026-11-22T02:15`, in the time zone of the browser. */
export function toLocal(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** RFC 3339. Empty stays empty. */
export const fromLocal = (text: string): string => (text === '' ? '' : new Date(text).toISOString());
