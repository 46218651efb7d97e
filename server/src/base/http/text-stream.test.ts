// Streams of text, over real sockets.
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { streamOf } from './text-stream.ts';

it('Q1: a slow client gets all of a text that is not ASCII', async () => {
  // 20 MB: far more than sockets hold.
  const [text, count] = ['😀'.repeat(2_000), 2_500];
  let made = 0;
  async function* texts() {
    for (; made < count; made++) yield text;
  }
  const server = createServer((_, response) => void streamOf(texts()).pipe(response));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  let before = -1;
  await expect
    .poll(() => {
      const waits = made === before;
      before = made;
      return waits;
    })
    .toBe(true);
  let bytes = 0;
  for await (const chunk of answer) bytes += (chunk as Buffer).length;
  expect(bytes).toBe(count * 8_000);
});
