// What signs webhooks: the native module where there is one for the platform, unless the settings say otherwise.
import { existsSync } from 'node:fs';
import { moduleFile } from '@concord/p384-signer';
import { expect, it, onTestFinished } from 'vitest';
import { startReceiver, toLoopback } from '../stage/receiver.ts';
import { openService } from '../stage/start-service.ts';
import { createWebhookPartner } from '../stage/webhook-stage.ts';

it.each([
  ['auto', existsSync(moduleFile) ? 'native' : 'node'],
  ['node', 'node'],
])(
  'W34: with CONCORD_SIGNER=%s the start logs the signer %s, and receivers accept its signatures',
  async (setting, signer) => {
    const service = await openService({ ...toLoopback, CONCORD_SIGNER: setting });
    const lines = service.logs.map((line) => JSON.parse(line));
    expect(lines.filter((line) => 'signer' in line)).toEqual([
      expect.objectContaining({ level: 30, signer }),
    ]);

    expect((await service.get('/metrics')).text).toMatch(
      new RegExp(`^concord_signer_info{signer="${signer}",.*} 1$`, 'm'),
    );

    const receiver = await startReceiver(service.url);
    onTestFinished(receiver.close);
    const url = receiver.url();
    const partner = await createWebhookPartner(service, url);
    await partner.publishMany(20);
    expect(await receiver.count(url, 20)).toHaveLength(20);
    expect(receiver.refused).toEqual([]);
  },
);

it('W34: an instance that sends no webhooks chooses no signer', async () => {
  const service = await openService({ CONCORD_ROLE: 'api' });
  expect(service.logs.filter((line) => 'signer' in JSON.parse(line))).toEqual([]);
});
