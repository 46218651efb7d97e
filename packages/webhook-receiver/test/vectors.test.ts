// Runs every vector of the webhook profile: each is accepted, or refused with its code and step.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Case } from '../../../vectors/request.ts';
import { verifyWebhook } from '../src/index.ts';
import { readKeys } from './sender.ts';

type Vectors = { jwks: Record<string, unknown>; cases: Required<Case>[] };
const file = new URL('../../../vectors/webhooks.json', import.meta.url);
const { jwks, cases } = JSON.parse(readFileSync(file, 'utf8')) as Vectors;

async function verify({ request, jwks: environment, now, partner_id: partnerId }: Required<Case>) {
  const keys = await readKeys(JSON.stringify(jwks[environment]));
  return verifyWebhook(
    { ...request, body: new TextEncoder().encode(request.body) },
    { keys, partnerId, now: () => now * 1_000 },
  );
}

describe('accepts', () => {
  it.each(cases.filter(({ accept }) => accept))('$name', async (vector) => {
    const { events } = await verify(vector);
    expect(events).toEqual([JSON.parse(vector.request.body)].flat());
  });
});

describe('refuses', () => {
  it.each(cases.filter(({ accept }) => !accept))('$name', async (vector) => {
    await expect(verify(vector)).rejects.toMatchObject({
      name: 'WebhookError',
      code: vector.code,
      step: vector.step,
    });
  });
});

it('has more than 30 vectors to accept and 100 to refuse', () => {
  expect(cases.filter(({ accept }) => accept).length).toBeGreaterThan(30);
  expect(cases.filter(({ accept }) => !accept).length).toBeGreaterThan(100);
});
