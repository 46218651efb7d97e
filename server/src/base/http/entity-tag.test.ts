// Conditions on entity tags.
import { expect, it } from 'vitest';
import { entityTag, requireTag } from './entity-tag.ts';

it('C1: a representation is hashed once for If-Match, however many tags it lists', () => {
  let hashed = 0;
  const tag = () => {
    hashed++;
    return entityTag('{}');
  };
  expect(() => requireTag('""'.repeat(8_000), tag)).toThrow(
    expect.objectContaining({ code: 'precondition_failed' }),
  );
  requireTag(`${'"",'.repeat(5_000)}${entityTag('{}')}`, tag);
  expect(hashed).toBe(2);
});
