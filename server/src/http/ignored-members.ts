// The Ignored-Members header: what a request said that had no effect, so that no input vanishes silently.
import { serializeList } from 'structured-headers';

const maxMembers = 20;
const maxLength = 200;

/**
 * A structured-field list (RFC 9651) of strings: percent-encoded JSON pointers, at most 20, then `...`. A pointer beyond
 * 200 characters is cut and ends in `...`.
 */
export function ignoredMembers(pointers: readonly string[]): { 'ignored-members'?: string } {
  if (pointers.length === 0) return {};
  const shown = pointers.slice(0, maxMembers).map(encodePointer);
  if (pointers.length > maxMembers) shown.push('...');
  return { 'ignored-members': serializeList(shown.map((pointer) => [pointer, new Map()])) };
}

function encodePointer(pointer: string): string {
  let encoded = '';
  // A character at a time, so that the cut never falls into one.
  for (const character of pointer.toWellFormed()) {
    const next = character === '/' ? '/' : encodeURIComponent(character);
    if (encoded.length + next.length > maxLength) return `${encoded}...`;
    encoded += next;
  }
  return encoded;
}
