// The stream of a listener: the requests that a command fetches and answers.
import { expect } from 'vitest';
import type { TestService } from '../../stage/start-service.ts';

export type ListenerRequest = {
  id: string;
  event_id: string;
  batch_id: string | null;
  delivery_id: string;
  method: string;
  url: string;
  headers: { name: string; value: string }[];
  body: string;
};

/** `next` resolves with the next request, or null at the end. */
export async function openStream(
  at: Pick<TestService, 'url'>,
  partner: string,
  endpoint: string,
  token: string,
) {
  const leaving = new AbortController();
  const response = await fetch(`${at.url}/partners/${partner}/listeners/${endpoint}/requests`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder();
  let text = '';
  return {
    async next(): Promise<ListenerRequest | null> {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
          text = text.slice(end + 2);
          if (data !== undefined) return JSON.parse(data);
          continue;
        }
        const part = await reader.read().catch(() => null);
        if (part?.value === undefined) return null;
        text += decoder.decode(part.value, { stream: true });
      }
    },
    leave: () => leaving.abort(),
  };
}
