// Receivers with a lock of their own get every event, also when the process that sends is killed (W71, W72, W18).
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { expectStatus } from '../../stage/cast.ts';
import { createGuarded, issuePair } from '../../stage/client-authority.ts';
import { kill, newScratchDir } from '../../stage/launch.ts';
import { createPeers } from '../../stage/peers.ts';
import { toLoopback } from '../../stage/receiver.ts';
import { useService } from '../../stage/start-service.ts';
import { tlsForTests } from '../../stage/tls.ts';
import { clientOf, useTokenServer } from '../../stage/token-server.ts';
import { createWebhookPartner, startWorker } from '../../stage/webhook-stage.ts';

const count = 1_000;
const service = useService({ ...toLoopback, CONCORD_ROLE: 'api' });

/** Counts the events that arrive, when `accepts` says so. */
function counting(accepts: (request: IncomingMessage) => boolean) {
  const ids = new Set<string>();
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    request.resume().on('end', () => {
      if (!accepts(request)) return void response.writeHead(401).end();
      ids.add(String(request.headers['webhook-id']));
      response.writeHead(204).end();
    });
  };
  return { ids, listener };
}

it('W71, W72, W18: 1,000 events each arrive behind a client certificate, and behind tokens that live a short time, across a kill', async () => {
  const peers = createPeers();
  onTestFinished(peers.closeAll);
  // Tokens end several times in the run.
  const server = await useTokenServer({ lifeSeconds: 2 });
  const tokens = counting(({ headers }) => server.accepts(headers.authorization));
  const certificates = counting(() => true);
  const tokenPort = await peers.listen(createServer(tokens.listener));
  const tlsPort = await peers.listen(createGuarded(certificates.listener));
  const trusted = join(newScratchDir(), 'trusted.pem');
  writeFileSync(trusted, tlsForTests.cert);
  const start = () => startWorker(service, { NODE_EXTRA_CA_CERTS: trusted });

  const ofToken = await createWebhookPartner(service, `http://127.0.0.1:${tokenPort}/`, {
    authentication: clientOf(server),
  });
  const ofTls = await createWebhookPartner(service, `https://localhost:${tlsPort}/`);
  const { certificate, privateKey } = issuePair();
  const path = `webhook-endpoints/${ofTls.endpoint}/client-certificate`;
  await expectStatus(200, ofTls.send('PUT', path, { certificate, private_key: privateKey }));

  const first = await start();
  for (const partner of [ofToken, ofTls]) await partner.publishMany(count);
  const arrived = () => Math.min(tokens.ids.size, certificates.ids.size);
  await expect.poll(arrived, { interval: 5 }).toBeGreaterThan(100);
  await kill(first.child);
  expect(arrived()).toBeLessThan(count);
  await start();
  await expect
    .poll(() => [tokens.ids.size, certificates.ids.size], { timeout: 120_000 })
    .toEqual([count, count]);
  for (const partner of [ofToken, ofTls])
    await expect
      .poll(async () => (await partner.send('GET', 'delivery-counts?filter[status]=delivered')).body.matching)
      .toBe(count);
  // A token of each process, and one for each life: not one for each request.
  expect(server.requests.length).toBeGreaterThan(1);
  expect(server.requests.length).toBeLessThan(200);
});
