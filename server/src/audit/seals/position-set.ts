// A set of positions: one bit for each, since positions are dense and many millions.
const bitsPerChunk = 65_536n;

export type PositionSet = {
  /** False: it was there already. */
  add(position: string): boolean;
  has(position: string): boolean;
};

export function createPositionSet(): PositionSet {
  const chunks = new Map<bigint, Uint8Array>();
  const placeOf = (position: string) => {
    const value = BigInt(position);
    const bit = Number(BigInt.asUintN(16, value));
    return { chunk: value / bitsPerChunk - (value < 0n ? 1n : 0n), byte: bit >> 3, mask: 1 << (bit & 7) };
  };
  const has = (position: string) => {
    const { chunk, byte, mask } = placeOf(position);
    return ((chunks.get(chunk)?.[byte] ?? 0) & mask) !== 0;
  };
  return {
    has,
    add(position) {
      if (has(position)) return false;
      const { chunk, byte, mask } = placeOf(position);
      const bits = chunks.get(chunk) ?? new Uint8Array(Number(bitsPerChunk) / 8);
      bits[byte] = (bits[byte] ?? 0) | mask;
      chunks.set(chunk, bits);
      return true;
    },
  };
}
