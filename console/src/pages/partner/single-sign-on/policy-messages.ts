// Words of the sign-in policy.
import { formatDuration } from '#format/time.ts';

/** In seconds. */
const ages = [
  { value: '3600', label: '1 hour' },
  { value: '14400', label: '4 hours' },
  { value: '43200', label: '12 hours' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];
export const ageInWords = (seconds: number): string =>
  ages.find(({ value }) => value === String(seconds))?.label ?? formatDuration(seconds);
/** With the present one, which a program can have set to any second. */
export const agesWith = (seconds: number) =>
  [...new Set([...ages.map(({ value }) => Number(value)), seconds])]
    .toSorted((one, other) => one - other)
    .map((age) => ({ value: String(age), label: ageInWords(age) }));
