// A collector that takes traces over OTLP/HTTP, with its own reader of Protocol Buffers (opentelemetry-proto,
// trace/v1/trace.proto).

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startListening } from '../stage/listen.ts';

export type CollectedSpan = {
  name: string;
  traceId: string;
  spanId: string;
  /** Empty: it has no parent. */
  parentId: string;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  failed: boolean;
  resource: Record<string, unknown>;
};

type Field = { number: number; value: Buffer | bigint };

/** The fields of a message in their order. */
function* fieldsOf(bytes: Buffer): Generator<Field> {
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('a cut message');
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const type = Number(key & 7n);
    const number = Number(key >> 3n);
    if (type === 0) yield { number, value: varint() };
    else {
      const length = type === 1 ? 8 : type === 5 ? 4 : Number(varint());
      yield { number, value: bytes.subarray(at, at + length) };
      at += length;
    }
  }
}

const all = (bytes: Buffer, number: number) =>
  [...fieldsOf(bytes)].flatMap((field) =>
    field.number === number && Buffer.isBuffer(field.value) ? [field.value] : [],
  );
const one = (bytes: Buffer, number: number) => all(bytes, number)[0] ?? Buffer.alloc(0);
const hex = (bytes: Buffer, number: number) => one(bytes, number).toString('hex');

function attributesOf(bytes: Buffer, number: number): Record<string, unknown> {
  return Object.fromEntries(
    all(bytes, number).map((pair) => {
      const [value] = fieldsOf(one(pair, 2));
      return [
        one(pair, 1).toString(),
        Buffer.isBuffer(value?.value) ? value.value.toString() : Number(value?.value),
      ];
    }),
  );
}

function spansOf(request: Buffer): CollectedSpan[] {
  return all(request, 1).flatMap((resourceSpans) =>
    all(resourceSpans, 2).flatMap((scope) =>
      all(scope, 2).map((span) => ({
        name: one(span, 5).toString(),
        traceId: hex(span, 1),
        spanId: hex(span, 2),
        parentId: hex(span, 4),
        attributes: attributesOf(span, 9),
        links: all(span, 13).map((link) => ({ traceId: hex(link, 1), spanId: hex(link, 2) })),
        failed: [...fieldsOf(one(span, 15))].some(({ number, value }) => number === 3 && value === 2n),
        resource: attributesOf(one(resourceSpans, 1), 1),
      })),
    ),
  );
}

export async function startCollector() {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  const requests: IncomingMessage[] = [];
  let behaviour: 'takes' | 'hangs' | 'refuses' = 'takes';
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    requests.push(request);
    if (behaviour === 'hangs') return;
    if (behaviour === 'refuses') return void response.writeHead(400).end();
    bodies.push(body);
    spans.push(...spansOf(body));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  }
  const server = createServer((request, response) => void take(request, response));
  const { port, close } = await startListening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    bodies,
    requests,
    behave(next: typeof behaviour) {
      behaviour = next;
    },
    close,
  };
}
