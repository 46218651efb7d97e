// Single attempts: the request as it was signed, compared with the bytes that a receiver got.
import { createPublicKey, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { parseId } from '../../../src/base/ids.ts';
import { succeed } from '../../stage/cast.ts';
import { answer, only, useWebhookStage, type WebhookPartner } from '../../stage/webhook-stage.ts';

const { service, receiver, newPartner } = useWebhookStage();

const attemptOf = async (partner: WebhookPartner, delivery: string, number: number | string) =>
  partner.send('GET', `deliveries/${delivery}/attempts/${number}`);
const nothing = { request: null, signature_base: null, key_id: null, created: null, signature: null };

it('W28: an attempt shows the request that its receiver got, and the signature verifies over the text that it shows', async () => {
  const url = receiver.url(answer(500));
  const partner = await newPartner(url, { headers: { 'X-Key': 'a secret' } });
  const text = '{"quantity":1.0,"sku":"é\\u00e9"}';
  succeed(
    await partner.send('POST', 'events', `{"type": "inventory.updated", "data": ${text}}`, {
      'content-type': 'application/json',
    }),
  );
  const { id, attempts } = await only(partner, 'failed');
  succeed(
    await partner.change({
      url: receiver.url(),
      headers: null,
    }),
  );
  const { keys } = succeed(await service.get('/.well-known/jwks.json', null));
  const captured = receiver.at(url);
  expect(captured).toHaveLength(3);
  for (const [index, got] of captured.entries()) {
    const { request, signature_base, key_id, created, signature, ...attempt } = succeed(
      await attemptOf(partner, id, index + 1),
    );
    expect(attempt).toEqual(attempts[index]);
    const headers = Object.entries(got.headers).filter(([name]) => name !== 'x-key' && name !== 'connection');
    expect(request).toEqual({
      method: 'POST',
      url,
      body: got.body.toString(),
      headers: headers.map(([name, value]) => ({ name, value })),
    });
    expect(request.body).toContain(text);
    expect(got.headers['signature-input']).toContain(
      `;created=${created};alg="ecdsa-p384-sha384";keyid="${key_id}"`,
    );
    expect(got.headers.signature).toBe(`sig1=:${signature}:`);
    const jwk = keys.find(({ kid }: { kid: string }) => kid === key_id);
    const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha384', Buffer.from(signature_base), key, Buffer.from(signature, 'base64'))).toBe(true);
  }
  const { headers, text: shown } = await attemptOf(partner, id, 1);
  expect(shown).not.toContain('a secret');
  const again = await partner.send('GET', `deliveries/${id}/attempts/1`, undefined, {
    'if-none-match': String(headers.etag),
  });
  expect(again.status).toBe(304);
  for (const number of ['0', '4', '01', '-1', 'x', '1.0', '9'.repeat(20)])
    expect([number, (await attemptOf(partner, id, number)).status]).toEqual([number, 404]);
});

it('W28: an attempt without a signed request, or of an earlier version, shows none', async () => {
  const partner = await newPartner('http://127.0.0.1:1/');
  const { sql } = service.database;
  await sql(`update webhook_endpoint set url = 'http://10.0.0.1/' where id = $1`, [
    parseId('webhook_endpoint', partner.endpoint),
  ]);
  await partner.publish();
  const refused = await only(partner, 'failed');
  expect(succeed(await attemptOf(partner, refused.id, 1))).toEqual({ ...refused.attempts[0], ...nothing });

  const old = await newPartner(receiver.url());
  await old.publish();
  const { id, attempts } = await only(old, 'delivered');
  await sql(
    'update attempt set url = null, created = null, key_id = null, signature = null where delivery_id = $1',
    [parseId('delivery', id)],
  );
  expect(succeed(await attemptOf(old, id, 1))).toEqual({ ...attempts[0], ...nothing });
  await expect(
    sql(`update attempt set url = 'x' where delivery_id = $1`, [parseId('delivery', id)]),
  ).rejects.toThrow(/attempt_signed/);
});

it('W1: the service verifies a delivered webhook, and refuses it when one byte differs', async () => {
  const url = receiver.url();
  const partner = await newPartner(url);
  await partner.publish(0);
  const [got] = await receiver.count(url, 1);
  const verified = async (body: string) => {
    const request = { method: 'POST', url, headers: got!.headers, body };
    return succeed(await service.post('/webhook-debug/verify', request)).verified;
  };
  const body = got!.body.toString();
  const changed = body.replace('"quantity":0', '"quantity":1');
  expect([changed === body, await verified(body), await verified(changed)]).toEqual([false, true, false]);
});
