import { expect, it } from 'vitest';
import { inWireOrder } from './schema.ts';

it('I7: a permission that was stored without a method, as the version before does, is shown whole', () => {
  const stored: unknown = { query: true, resource: 'partners', get: false };
  expect(JSON.stringify(inWireOrder([stored as never]))).toMatch(
    /^\[\{"resource":"partners",("\w+":(true|false),?)+\}\]$/,
  );
  const [shown] = inWireOrder([stored as never]);
  expect(shown).toMatchObject({ query: true, get: false, post: false, delete: false });
});
