// An end that has passed would invite nobody, end an access at once, or ban nobody.
import type { Fault, Values } from './form.tsx';

export function findPastEnd(values: Values): Fault[] {
  const end = values.optional('expires_at');
  if (end === null || Date.parse(end) > Date.now()) return [];
  return [
    { name: 'expires_at', message: 'This time has passed. Choose one that lies ahead, or leave it empty.' },
  ];
}
