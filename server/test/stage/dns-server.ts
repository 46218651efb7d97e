// A small DNS server on this machine, with TXT records that tests set (RFC 1035).
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/**
 * `records`: values by name. A name without values does not exist. `mute`: no question is answered. `fails`: it
 * answers that it failed. `gate`: answers wait for it.
 */
export async function startDnsServer() {
  const records = new Map<string, string[]>();
  const state = { mute: false, fails: false, asked: 0, gate: Promise.resolve() };
  const socket = createSocket('udp4');
  socket.on('message', async (question, from) => {
    state.asked++;
    await state.gate;
    if (!state.mute) socket.send(answer(question, records, state.fails), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { records, state, address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

function answer(question: Buffer, records: ReadonlyMap<string, readonly string[]>, fails: boolean): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const values = (!fails && records.get(labels.join('.').toLowerCase())) || [];
  const header = Buffer.from(question.subarray(0, 12));
  // A response, recursion available; 2: the server failed; 3: the name does not exist.
  header.writeUInt16BE(0x8180 | (fails ? 2 : values.length === 0 ? 3 : 0), 2);
  header.writeUInt16BE(values.length, 6);
  header.writeUInt32BE(0, 8);
  const found = values.map((value) => {
    const text = Buffer.from(value);
    // A pointer to the name of the question, TXT, IN, no time to live.
    const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, text.length + 1, text.length]);
    return Buffer.concat([head, text]);
  });
  return Buffer.concat([header, question.subarray(12, at + 5), ...found]);
}
