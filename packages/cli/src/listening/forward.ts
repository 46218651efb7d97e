// Sends one request to the receiver on this machine, byte for byte, and reads what it answers.
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export type ListenerRequest = {
  readonly id: string;
  readonly delivery_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly attempt: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
};
export type Outcome = { readonly durationMs: number } & (
  | { readonly status: number; readonly body: string }
  | { readonly error: string }
);

/** What Concord keeps of an answer. */
const maxAnswerBytes = 16_384;
/** Concord gives up before, at its own limit. */
const timeoutMs = 300_000;
/** These belong to the connection, and not to the request. */
const ofConnection = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'keep-alive']);

/** To `target`, wherever the request says that it goes. `ended`: waits no longer. Never rejects. */
export async function forward(request: ListenerRequest, target: URL, ended: AbortSignal): Promise<Outcome> {
  const start = performance.now();
  const durationMs = () => Math.round(performance.now() - start);
  try {
    const answer = await send(request, target, AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)]));
    const { status } = answer;
    if (status < 200 || status > 599)
      return { error: `the status ${status} is invalid`, durationMs: durationMs() };
    return { ...answer, durationMs: durationMs() };
  } catch (error) {
    return { error: explain(error), durationMs: durationMs() };
  }
}

/** A refused connection to a name with several addresses has no message, but the errors of all. */
function explain(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const text = first instanceof Error ? first.message : String(first);
  return text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 500) || 'the request failed';
}

function send({ headers, body }: ListenerRequest, target: URL, signal: AbortSignal) {
  const bytes = Buffer.from(body, 'utf8');
  const lines = headers.filter(({ name }) => !ofConnection.has(name.toLowerCase()));
  const fields = ['Host', target.host, ...lines.flatMap(({ name, value }) => [name, value])];
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const open = target.protocol === 'https:' ? requestHttps : requestHttp;
    const sent = open(target, {
      method: 'POST',
      // A receiver that restarts closes kept connections.
      agent: false,
      signal,
      headers: [...fields, 'Content-Length', String(bytes.length)] as unknown as Record<string, string>,
    });
    sent.once('error', reject);
    // Also after half an answer, and after 101 with Upgrade.
    sent.once('close', () => reject(new Error('the connection ended before the answer')));
    sent.once('response', (response) => {
      const parts: Buffer[] = [];
      let length = 0;
      const finish = () => {
        const whole = Buffer.concat(parts).subarray(0, maxAnswerBytes);
        resolve({ status: response.statusCode ?? 0, body: toText(whole, length > maxAnswerBytes) });
      };
      response.on('data', (part: Buffer) => {
        parts.push(part);
        length += part.length;
        if (length <= maxAnswerBytes) return;
        finish();
        response.destroy();
      });
      response.once('end', finish);
    });
    sent.end(bytes);
  });
}

/** Without half a character at a cut end. */
const toText = (bytes: Buffer, isCut: boolean): string => new TextDecoder().decode(bytes, { stream: isCut });
