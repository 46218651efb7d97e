// The Ignored-Members header names the members of a request that had no effect.
import { serializeList } from 'structured-headers';

const maxMembers = 20;
const maxLength = 200;

/** A list (RFC 9651) of percent-encoded JSON pointers. A longer list or pointer ends in `...`. */
export function ignoredMembers(pointers: readonly string[]): { 'ignored-members'?: string } {
  if (pointers.length === 0) return {};
  const shown = pointers.slice(0, maxMembers).map(encodePointer);
  if (pointers.length > maxMembers) shown.push('...');
  return { 'ignored-members': serializeList(shown.map((pointer) => [pointer, new Map()])) };
}

function encodePointer(pointer: string): string {
  let encoded = '';
  // Character by character, so that the cut never splits one.
  for (const character of pointer.toWellFormed()) {
    const next = character === '/' ? '/' : encodeURIComponent(character);
    if (encoded.length + next.length > maxLength) return `${encoded}...`;
    encoded += next;
  }
  return encoded;
}
