// What a seal is: MACs over audit rows, chained to the seal before it. Pure.
import { createHash, createHmac } from 'node:crypto';
import type { Secret } from '../../base/config-values.ts';
import { deriveKey } from '../../base/secrets/index.ts';

/** A row of the log as the seal covers it. Values are the database's own text for them. */
export type SealedRow = {
  readonly position: string;
  /** Every other column of the row, in the order of `sealedColumns` in store.ts. */
  readonly values: readonly (string | null)[];
};

export type Seal = {
  readonly id: string;
  readonly positions: readonly string[];
  readonly rowMacs: Buffer;
  readonly mac: Buffer;
  readonly secretVersion: number;
  readonly sealedAt: Date;
};

/** One for each version of the master secrets. */
export type SealKeys = {
  readonly currentVersion: number;
  of(version: number): Buffer | undefined;
};

export function createSealKeys(secrets: readonly Secret[]): SealKeys {
  const keys = new Map(secrets.map((secret) => [secret.version, deriveKey(secret, 'audit seal')]));
  return { currentVersion: Math.max(...keys.keys()), of: (version) => keys.get(version) };
}

export const macLength = 16;

/** In milliseconds since 1970. */
export const timeOfRow = ({ values }: SealedRow): number => Number(values[0]) * 1_000;

/** Without the position, so that content at another position is recognised. */
export function macOfRow(key: Buffer, { values }: SealedRow): Buffer {
  return createHmac('sha256', key).update(encode(values)).digest().subarray(0, macLength);
}

/** `previous`: the MAC of the seal before it. */
export function macOfSeal(key: Buffer, previous: Buffer | null, seal: Omit<Seal, 'mac'>): Buffer {
  const { id, positions, rowMacs, secretVersion, sealedAt } = seal;
  const rows = createHash('sha256').update(encode(positions)).update(rowMacs).digest('hex');
  const values = [
    'seal',
    previous?.toString('hex') ?? null,
    id,
    String(secretVersion),
    sealedAt.toISOString(),
    rows,
  ];
  return createHmac('sha256', key).update(encode(values)).digest();
}

export function macOfDrop(key: Buffer, { id, mac }: Pick<Seal, 'id' | 'mac'>, droppedAt: Date): Buffer {
  return createHmac('sha256', key)
    .update(encode(['dropped', id, mac.toString('hex'), droppedAt.toISOString()]))
    .digest();
}

/** False: it has values that Concord does not write, so its MAC cannot be computed. */
export const isReadable = ({
  positions,
  sealedAt,
  droppedAt,
}: Pick<Seal, 'positions' | 'sealedAt'> & { droppedAt: Date | null }) =>
  positions.every((position) => typeof position === 'string') &&
  isTime(sealedAt) &&
  (droppedAt === null || isTime(droppedAt));

const isTime = (value: unknown) => value instanceof Date && !Number.isNaN(value.getTime());

/** Each value with its length, and null apart from the empty text: no two lists look the same. */
function encode(values: readonly (string | null)[]): Buffer {
  return Buffer.concat(
    values.flatMap((value) => {
      const head = Buffer.alloc(5);
      if (value === null) return [head];
      const bytes = Buffer.from(value);
      head[0] = 1;
      head.writeUInt32BE(bytes.length, 1);
      return [head, bytes];
    }),
  );
}
