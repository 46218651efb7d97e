// Reads a byte stream up to a limit.

/** Returns the bytes. Cancels the stream and returns undefined when it has more than `maxBytes`. */
export async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    length += read.value.length;
    if (!(length <= maxBytes)) {
      await reader?.cancel();
      reader?.releaseLock();
      return undefined;
    }
    chunks.push(read.value);
  }
  return joinChunks(chunks, length);
}

export function joinChunks(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
