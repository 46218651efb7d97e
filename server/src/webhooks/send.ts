// Sends one attempt: to an address that was checked, without following anything, in a bounded time and with a bounded answer.
import { lookup } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { type Destinations, literalOf } from './destination.ts';

const maxAnswerBytes = 64 * 1024;

type Attempt = { url: URL; headers: Readonly<Record<string, string>>; body: Buffer };

/** Why there is no answer. */
type FailureReason = 'address_refused' | 'dns' | 'connection' | 'tls' | 'timeout' | 'invalid_answer';
/** What came of it: a failed attempt is data, recorded and not thrown. */
type Outcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      readonly body: Buffer;
      readonly durationMs: number;
    }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly detail: string; readonly durationMs: number };

export type Send = (attempt: Attempt) => Promise<Outcome>;

type Options = {
  destinations: Destinations;
  /** For the whole attempt: name, connection, answer. */
  timeoutMs: number;
  /** Certificates to trust beside those that Node does. */
  ca?: string;
};

/** The code of our own errors among those of the network. */
const refusedCode = 'ERR_ADDRESS_REFUSED';
const refuse = (address: string) =>
  Object.assign(new Error(`${address} is an address that webhooks may not go to`), { code: refusedCode });

export function createSend({ destinations, timeoutMs, ca }: Options): { send: Send; close: () => void } {
  /** Every address that the name has must be allowed: what is connected to is one of those that were checked. */
  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const refused = addresses.find(({ address }) => !destinations.allows(address));
      if (refused) return callback(refuse(refused.address), '');
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
      return callback(null, first.address, first.family);
    });
  };
  const options = { lookup: guardedLookup, keepAlive: true, maxFreeSockets: 256, timeout: 60_000 };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent({ ...options, ...(ca !== undefined && { ca }) }) };

  function send(attempt: Attempt): Promise<Outcome> {
    const { url, headers, body } = attempt;
    const start = performance.now();
    const since = () => Math.round(performance.now() - start);
    return new Promise((resolve) => {
      const fail = (reason: FailureReason, detail: string) => resolve({ kind: 'failed', reason, detail, durationMs: since() });
      // Node looks up no name where an address stands.
      const literal = literalOf(url);
      if (literal !== null && !destinations.allows(literal)) return fail('address_refused', refuse(literal).message);

      const secure = url.protocol === 'https:';
      const request = (secure ? https : http).request(url, {
        method: 'POST',
        agent: agents[secure ? 'https:' : 'http:'],
        headers: { ...headers, 'content-length': body.length },
        maxHeaderSize: 16 * 1024,
      });
      let answer: http.IncomingMessage | undefined;
      const chunks: Buffer[] = [];
      let size = 0;
      /** With what came until now: the status is what counts. */
      const finish = () => {
        clearTimeout(timer);
        if (!answer) return;
        const { statusCode: status = 0, headers: received } = answer;
        const text = Buffer.concat(chunks).subarray(0, maxAnswerBytes);
        resolve({ kind: 'answered', status, retryAfter: received['retry-after'], body: text, durationMs: since() });
      };
      const timer = setTimeout(() => {
        finish();
        fail('timeout', `no whole answer within ${timeoutMs} ms`);
        request.destroy();
      }, timeoutMs);

      request.on('socket', (socket) => {
        const check = () => {
          const { remoteAddress } = socket;
          if (remoteAddress !== undefined && !destinations.allows(remoteAddress)) request.destroy(refuse(remoteAddress));
        };
        // One that is used again has been checked, and is again.
        if (socket.connecting) socket.once('connect', check);
        else check();
      });
      request.on('response', (response) => {
        answer = response;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size < maxAnswerBytes) return;
          finish();
          request.destroy();
        });
        response.on('end', finish);
        response.on('error', finish);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        if (answer) finish();
        // The other side closed the connection, in all likelihood while it was idle and before it saw this attempt.
        else if (request.reusedSocket && error.code === 'ECONNRESET') send(attempt).then(resolve);
        else fail(reasonOf(error), describe(error));
      });
      request.end(body);
    });
  }

  return {
    send,
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function reasonOf({ code = '' }: NodeJS.ErrnoException): FailureReason {
  if (code === refusedCode) return 'address_refused';
  if (['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA'].includes(code)) return 'dns';
  if (code.startsWith('HPE_')) return 'invalid_answer';
  if (code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_') || code.includes('CERT') || code === 'EPROTO') return 'tls';
  return 'connection';
}

/** What an owner of the endpoint may read: of an address that is refused it is the name alone that they know already. */
function describe(error: NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }): string {
  const [first] = error.errors ?? [error];
  return (first?.message || error.code || 'the connection failed').slice(0, 500);
}
