// The stream of a listener: connects again and again, and gives each request once.
import { setTimeout as startTimer } from 'node:timers';
import { fetchWithoutRedirects } from '../context.ts';
import { CliError } from '../exits.ts';
import { pause } from '../pause.ts';
import { reasonOf } from '../report.ts';
import { readEvents } from '../sse.ts';
import type { ListenerRequest } from './forward.ts';

/** Concord sends a heartbeat every 15 seconds. */
const silenceMs = 45_000;
const firstDelayMs = 500;
const longestDelayMs = 10_000;
const shortestMs = 1_000;

type Options = {
  url: string;
  token: string;
  ended: AbortSignal;
  /** The connection was lost, and comes again. */
  onLost: (reason: string) => void;
  /** Streams the first time, or again after a loss. */
  onOpen: (isFirst: boolean) => void;
  onRequest: (request: ListenerRequest) => void;
};

/** Ends with the signal: 'ended'. 'gone': the listener is not there any more. */
export async function streamRequests(options: Options): Promise<'ended' | 'gone'> {
  const { ended, onLost } = options;
  let failures = 0;
  let isOpen = false;
  let isFirst = true;
  const noteOpen = () => {
    if (!isOpen) options.onOpen(isFirst);
    isOpen = true;
    isFirst = false;
  };
  while (!ended.aborted) {
    const start = performance.now();
    const outcome = await streamOnce({ ...options, onOpen: noteOpen }, () => {
      failures = 0;
    });
    if (outcome.kind === 'gone') return 'gone';
    // Concord ends each stream after a minute. A proxy may end it at once, again and again.
    if (outcome.kind === 'complete') {
      if (performance.now() - start < shortestMs) await pause(shortestMs, ended);
      continue;
    }
    if (ended.aborted) break;
    isOpen = false;
    onLost(outcome.reason);
    const delayMs = Math.min(firstDelayMs * 2 ** failures, longestDelayMs);
    failures = Math.min(failures + 1, 10);
    await pause(delayMs * (0.75 + Math.random() / 4), ended);
  }
  return 'ended';
}

type StreamEnd = { kind: 'complete' } | { kind: 'gone' } | { kind: 'lost'; reason: string };

type Once = Omit<Options, 'onOpen'> & { onOpen: () => void };

async function streamOnce(options: Once, onSuccess: () => void): Promise<StreamEnd> {
  const { url, token, ended, onOpen, onRequest } = options;
  const silent = new AbortController();
  const arm = () => startTimer(() => silent.abort(new Error('nothing came for 45 seconds')), silenceMs);
  let timer = arm();
  try {
    const response = await fetchWithoutRedirects(url, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      signal: AbortSignal.any([ended, silent.signal]),
    });
    const { status } = response;
    if (status !== 200 || response.body === null) {
      await response.body?.cancel();
      if (status === 404) return { kind: 'gone' };
      if (status === 401 || status === 403)
        throw new CliError(
          'denied',
          `Concord answered ${status}: the token may not listen any more. Run concord login`,
        );
      return { kind: 'lost', reason: `Concord answered ${status}` };
    }
    onOpen();
    for await (const { event, data } of readEvents(response.body, () => {
      clearTimeout(timer);
      timer = arm();
      onSuccess();
    }))
      if (event === 'request') onRequest(toRequest(data));
    return { kind: 'complete' };
  } catch (error) {
    if (error instanceof CliError) throw error;
    return { kind: 'lost', reason: reasonOf(silent.signal.aborted ? silent.signal.reason : error).slice(2) };
  } finally {
    clearTimeout(timer);
    silent.abort();
  }
}

function toRequest(data: string): ListenerRequest {
  const request = JSON.parse(data) as ListenerRequest;
  const isText = [request.id, request.delivery_id, request.event_id, request.event_type, request.body].every(
    (member) => typeof member === 'string',
  );
  const isLine = ({ name, value }: { name: unknown; value: unknown }) =>
    typeof name === 'string' && typeof value === 'string';
  if (!isText || !Array.isArray(request.headers) || !request.headers.every(isLine))
    throw new Error('Concord sent a request that this version cannot read');
  return request;
}
