// Words for access that is asked for, the same on every page.
import type { AccessRequest } from '@concord/client';
import type { State } from './state.ts';

export const requestStates: Readonly<Record<AccessRequest['state'], State>> = {
  pending: { label: 'Waiting', tone: 'info' },
  approved: { label: 'Approved', tone: 'good' },
  denied: { label: 'Denied', tone: 'bad' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
  lapsed: { label: 'Lapsed', tone: 'neutral' },
  ended: { label: 'Ended', tone: 'neutral' },
};

/** In seconds. */
export const durations = [
  { value: '3600', label: '1 hour' },
  { value: '14400', label: '4 hours' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
  { value: '7776000', label: '90 days' },
] as const;

/** Of a usual duration its own words: `1 day` and not `24 h`. */
export const durationName = (seconds: number): string | undefined =>
  durations.find(({ value }) => value === String(seconds))?.label;
