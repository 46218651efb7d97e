// The records of a backup: a kind (1 byte), the length of the payload (4 bytes), and the payload.

export const kinds = { manifest: 0x4d, table: 0x54, rows: 0x44, tableEnd: 0x45, end: 0x5a } as const;
type Kind = (typeof kinds)[keyof typeof kinds];

const headBytes = 5;
/** Bounds the memory of a reader. */
const maxPayloadBytes = 4 * 1024 * 1024;

export function encodeRecord(kind: Kind, payload: Buffer): Buffer {
  if (payload.length > maxPayloadBytes)
    throw new Error(`A record of a backup can have ${maxPayloadBytes} bytes at most.`);
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(kind);
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

/** @throws Error that `fault` makes, when the bytes are not whole records */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  fault: (why: string) => Error,
): AsyncGenerator<{ kind: number; payload: Buffer }> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let at = 0;
    while (held.length - at >= headBytes) {
      const length = held.readUInt32BE(at + 1);
      if (length > maxPayloadBytes) throw fault('a record is too long');
      const next = at + headBytes + length;
      if (held.length < next) break;
      yield { kind: held.readUInt8(at), payload: held.subarray(at + headBytes, next) };
      at = next;
    }
    held = held.subarray(at);
  }
  if (held.length > 0) throw fault('a record is not complete');
}
