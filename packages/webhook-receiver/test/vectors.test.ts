// The vectors of the webhook profile, all of them, in this implementation: accepted or refused, with the code and the step.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Case } from '../../../vectors/request.ts';
import { verifyWebhook } from '../src/index.ts';
import { parseJwks } from '../src/jwks.ts';

type Vectors = { jwks: Record<string, unknown>; cases: Required<Case>[] };
const file = new URL('../../../vectors/webhooks.json', import.meta.url);
const { jwks, cases } = JSON.parse(readFileSync(file, 'utf8')) as Vectors;

async function verify({ request, jwks: environment, now }: Required<Case>) {
  const keys = await parseJwks(JSON.stringify(jwks[environment]));
  return verifyWebhook(
    { ...request, body: new TextEncoder().encode(request.body) },
    { keys: { findKey: async (kid) => keys.get(kid) }, now: () => now * 1_000 },
  );
}

describe('W27, accepted:', () => {
  it.each(cases.filter(({ accept }) => accept))('$name', async (vector) => {
    expect((await verify(vector)).event).toEqual(JSON.parse(vector.request.body));
  });
});

describe('W27, refused:', () => {
  it.each(cases.filter(({ accept }) => !accept))('$name', async (vector) => {
    await expect(verify(vector)).rejects.toMatchObject({ name: 'WebhookError', code: vector.code, step: vector.step });
  });
});

it('there are at least 60 of them, of both kinds', () => {
  expect(cases.filter(({ accept }) => accept).length).toBeGreaterThan(30);
  expect(cases.filter(({ accept }) => !accept).length).toBeGreaterThan(100);
});
