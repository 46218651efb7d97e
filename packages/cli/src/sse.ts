// Reads server-sent events (the HTML standard, section 9.2.6).

/** A request of a listener has a body of 1 MiB at most, which JSON can make six times as long. */
const maxCharacters = 16 * 1024 * 1024;

export type ServerEvent = { readonly event: string; readonly data: string };

/** `onChunk` is called for each part that arrives, heartbeats too. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onChunk: () => void,
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let text = '';
  let event = 'message';
  let data: string[] = [];
  let size = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    onChunk();
    const added = decoder.decode(chunk, { stream: true });
    text += added;
    if (text.length + size > maxCharacters) throw new Error('an event is too large');
    // Most parts of a long line have no end of a line.
    if (!added.includes('\n')) continue;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const each of lines) {
      const line = each.replace(/\r$/, '');
      if (line === '') {
        if (data.length > 0) yield { event, data: data.join('\n') };
        event = 'message';
        data = [];
        size = 0;
      } else if (line.startsWith('data:')) {
        data.push(line.slice(5).replace(/^ /, ''));
        size += line.length;
      } else if (line.startsWith('event:')) event = line.slice(6).trim();
    }
  }
}
