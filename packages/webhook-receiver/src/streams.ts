// Reads a stream of bytes up to a bound.

/** The bytes, or undefined when there are more than `maxBytes`; then the rest is not read. */
export async function readStream(stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    length += read.value.length;
    if (!(length <= maxBytes)) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(read.value);
  }
  return joinChunks(chunks, length);
}

export function joinChunks(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
