// A listener: creates the endpoint, handles each of its requests once, answers them, and deletes it at the end.
import {
  answerListenerRequest,
  type Concord,
  ConcordError,
  createListener as createEndpoint,
  deleteWebhookEndpoint,
  type WebhookEndpoint,
} from '@concord/client';
import { CliError } from '../exits.ts';
import { pause } from '../pause.ts';
import type { ListenerRequest, Outcome } from './forward.ts';
import { createSlots } from './slots.ts';
import { streamRequests } from './stream.ts';

const maxAtOnce = 16;
/** For an answer that did not arrive. Concord waits no longer than its own time limit. */
const maxTries = 6;
/** How long the end waits for a Concord that hangs. */
const graceMs = 5_000;

type Options = {
  client: Concord;
  baseUrl: string;
  token: string;
  partner: string;
  forwardTo: string;
  eventTypes: string[] | null;
  ended: AbortSignal;
  handle: (request: ListenerRequest) => Promise<Outcome>;
  onEndpoint: (endpoint: WebhookEndpoint) => void;
  onOpen: (isFirst: boolean) => void;
  onHandled: (request: ListenerRequest, outcome: Outcome) => void;
  onProblem: (text: string) => void;
};

/** `late` aborts some time after the end. */
type Serving = Options & { late: AbortSignal };

/** Until the signal aborts. */
export async function listen(options: Options): Promise<void> {
  const { client, partner, forwardTo, eventTypes, ended, onEndpoint, onProblem } = options;
  const ending = new AbortController();
  const late = ending.signal;
  ended.addEventListener('abort', () =>
    setTimeout(() => ending.abort(new Error('Concord did not answer in time')), graceMs).unref(),
  );
  while (!ended.aborted) {
    const body = { forward_to: forwardTo, event_types: eventTypes, description: 'concord listen' };
    const created = createEndpoint({ client, path: { id: partner }, body, signal: late });
    const endpoint = await created.catch((error: unknown) => {
      if (!late.aborted) throw error;
    });
    if (endpoint === undefined)
      return onProblem(
        'Concord did not answer in time. A listener that it has made is deleted in five minutes.',
      );
    onEndpoint(endpoint);
    const path = { id: partner, endpoint_id: endpoint.id };
    try {
      const end = await serve({ ...options, late }, path);
      if (end === 'ended') return;
      onProblem('The listener was deleted. Events of the meantime are not sent to the next one.');
    } finally {
      await removeEndpoint(client, path, onProblem);
    }
  }
}

type Path = { id: string; endpoint_id: string };

async function serve(options: Serving, path: Path): Promise<'ended' | 'gone'> {
  const { baseUrl, token, ended, handle, onOpen, onHandled, onProblem } = options;
  const slots = createSlots(maxAtOnce);
  /** A new stream repeats what has no answer yet. */
  const handling = new Set<string>();
  try {
    return await streamRequests({
      url: `${baseUrl}/partners/${path.id}/listeners/${path.endpoint_id}/requests`,
      token,
      ended,
      onOpen,
      onLost: (reason) => onProblem(`The connection to Concord was lost (${reason}). Connecting again.`),
      onRequest(request) {
        if (handling.has(request.id)) return;
        handling.add(request.id);
        slots.add(async () => {
          // It comes to the next command.
          if (ended.aborted) return;
          const outcome = await handle(request);
          if (ended.aborted && 'error' in outcome) return;
          onHandled(request, outcome);
          const problem = await answer(options, { ...path, request_id: request.id }, outcome);
          if (problem !== null) onProblem(`${request.event_type} ${request.delivery_id}: ${problem}`);
          handling.delete(request.id);
        });
      },
    });
  } finally {
    await slots.idle();
  }
}

/** Resolves with what went wrong. */
async function answer(
  { client, ended, late }: Serving,
  path: Path & { request_id: string },
  outcome: Outcome,
): Promise<string | null> {
  const { durationMs: duration_ms, ...given } = outcome;
  for (let tries = 1; ; tries++) {
    const isLast = tries >= maxTries || ended.aborted;
    try {
      await answerListenerRequest({ client, path, body: { ...given, duration_ms }, signal: late });
      return null;
    } catch (error) {
      if (!(error instanceof ConcordError)) return (error as Error).message;
      if (error.status === 404) return tries > 1 ? null : 'Concord no longer waits for this answer';
      const isLost = error.status === null || error.status >= 500;
      if (!isLost || isLast) return error.message;
      await pause(250 * 2 ** tries, ended);
    }
  }
}

async function removeEndpoint(client: Concord, path: Path, onProblem: Options['onProblem']): Promise<void> {
  try {
    await deleteWebhookEndpoint({ client, path, signal: AbortSignal.timeout(5_000) });
  } catch (error) {
    if (error instanceof ConcordError && error.status === 404) return;
    const reason =
      error instanceof ConcordError || error instanceof CliError ? error.message : 'no answer in time';
    onProblem(
      `The listener ${path.endpoint_id} was not deleted (${reason}). Concord deletes it in five minutes.`,
    );
  }
}
