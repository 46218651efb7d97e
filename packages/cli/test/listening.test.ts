// Parts of `concord listen` without a Concord.

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { forward } from '../src/listening/forward.ts';
import { createSlots } from '../src/listening/slots.ts';
import { pause } from '../src/pause.ts';
import { readEvents, type ServerEvent } from '../src/sse.ts';

const request = {
  id: 'a',
  delivery_id: 'dlv_1',
  event_id: 'evt_1',
  event_type: 'inventory.updated',
  attempt: 1,
  headers: [
    { name: 'Content-Type', value: 'application/json' },
    { name: 'host', value: 'elsewhere.example' },
    { name: 'X-Mixed-Case', value: 'å' },
    { name: 'Content-Length', value: '1' },
    { name: 'Transfer-Encoding', value: 'chunked' },
    { name: 'Keep-Alive', value: 'timeout=5' },
  ],
  body: '{"a":"blåbær 😀"}',
};
const never = new AbortController().signal;

/** A receiver that keeps the bytes that it got, and answers with these. `stays`: the connection stays open. */
async function openReceiver(answer: string, stays = false) {
  let got: Buffer = Buffer.alloc(0);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (part: Buffer) => {
      got = Buffer.concat([got, part]);
      const head = got.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(got.toString('latin1'))?.[1]);
      if (head >= 0 && got.length >= head + 4 + length) socket.write(answer, () => stays || socket.end());
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?a=1`),
    got: () => got,
  };
}

it('a request goes to the target byte for byte, with its own Host and Content-Length', async () => {
  const receiver = await openReceiver('HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok');
  expect(await forward(request, receiver.url, never)).toMatchObject({ status: 202, body: 'ok' });
  const [head = '', body] = receiver.got().toString('utf8').split('\r\n\r\n');
  expect(body).toBe(request.body);
  expect(head.split('\r\n').slice(0, 4)).toEqual([
    'POST /hooks?a=1 HTTP/1.1',
    `Host: ${receiver.url.host}`,
    'Content-Type: application/json',
    expect.stringMatching(/^X-Mixed-Case: /),
  ]);
  expect(head.match(/content-length: \d+/gi)).toEqual([`Content-Length: ${Buffer.byteLength(request.body)}`]);
  expect(head).not.toMatch(/elsewhere|transfer-encoding|timeout/i);
});

it('the answer is cut at 16 KiB, and a receiver that fails is an error', async () => {
  // The rest never comes.
  const large = await openReceiver(
    `HTTP/1.1 500 No\r\nContent-Length: 90000\r\n\r\nx${'å'.repeat(30_000)}`,
    true,
  );
  const answer = await forward(request, large.url, never);
  expect(answer).toMatchObject({ status: 500, body: `x${'å'.repeat(8_191)}` });
  for (const status of ['700', '099', '101']) {
    const odd = await openReceiver(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`);
    expect(await forward(request, odd.url, never)).toMatchObject({
      error: `the status ${Number(status)} is invalid`,
    });
  }
  for (const answer of [
    'no HTTP',
    '',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf',
    'HTTP/1.1 101 Other\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  ]) {
    const broken = await openReceiver(answer, answer.includes('Upgrade'));
    expect(await forward(request, broken.url, never)).toHaveProperty('error');
  }
  const hostile = { ...request, headers: [{ name: 'a'.repeat(600), value: 'b\r\nEvil: yes' }] };
  expect(await forward(hostile, large.url, never)).toMatchObject({
    error: expect.stringMatching(/^.{1,500}$/),
  });
  for (const target of ['http://127.0.0.1:9/', 'https://127.0.0.1:9/'])
    expect(await forward(request, new URL(target), never)).toMatchObject({
      error: expect.stringContaining('ECONNREFUSED'),
    });
});

it('Ctrl-C ends a wait, for a receiver or for a time', async () => {
  const silent = await openReceiver('', true);
  const ending = new AbortController();
  const forwarded = forward(request, silent.url, ending.signal);
  await expect.poll(() => silent.got().length).toBeGreaterThan(0);
  ending.abort();
  expect(await forwarded).toHaveProperty('error');
  await pause(100_000_000, ending.signal);
});

it('at most so many run at once, in their order', async () => {
  const slots = createSlots(16);
  const gates: (() => void)[] = [];
  let running = 0;
  let most = 0;
  for (let n = 0; n < 40; n++)
    slots.add(async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => gates.push(resolve));
      running--;
    });
  await expect.poll(() => gates.length).toBe(16);
  for (let n = 0; n < 40; n++) {
    await expect.poll(() => gates.length).toBeGreaterThan(n);
    gates[n]?.();
  }
  await slots.idle();
  expect([most, running]).toEqual([16, 0]);
  slots.add(async () => void gates.splice(0));
  await slots.idle();
  expect(gates).toEqual([]);
});

it('server-sent events are read across parts, with every end of a line', async () => {
  const text =
    'retry: 1000\n\n: hello\n\nid: 1\nevent: request\ndata: {"a":"å"}\n\ndata:x\r\ndata: y\r\n\r\ndata: no end';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, 1_000]) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const events: ServerEvent[] = [];
    for await (const event of readEvents(body, () => {})) events.push(event);
    expect(events).toEqual([
      { event: 'request', data: '{"a":"å"}' },
      { event: 'message', data: 'x\ny' },
    ]);
  }
});

it('an event of over 16 MiB is refused, and several smaller ones are not', async () => {
  const line = new TextEncoder().encode(`data: ${'a'.repeat(1_048_576)}\n`);
  const read = async (separator: string) => {
    let count = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(line);
        controller.enqueue(new TextEncoder().encode(separator));
        if (++count === 20) controller.close();
      },
    });
    let events = 0;
    for await (const _ of readEvents(body, () => {})) events++;
    return events;
  };
  await expect(read('')).rejects.toThrow('too large');
  expect(await read('\n')).toBe(20);
});
