// The states of an endpoint: its status, and whether its last attempts failed. Pure.
import type { Recent } from '../statistics/index.ts';

export const endpointStates = ['active', 'failing', 'fails_in_part', 'paused', 'disabled'] as const;
export type EndpointState = (typeof endpointStates)[number];

/** `recent`: its last attempts (behaviour N7). Undefined: it had none. */
export function endpointState(
  status: 'active' | 'paused' | 'disabled',
  recent: Recent | undefined,
): EndpointState {
  if (status !== 'active' || recent === undefined || recent.attempts === recent.delivered) return status;
  return recent.delivered === 0 ? 'failing' : 'fails_in_part';
}
