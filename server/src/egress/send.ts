// Sends one request to an address that was checked: no redirects, a bounded time and a bounded answer.
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { type Destinations, literalOf } from './destinations.ts';
import { createLookups } from './lookups.ts';

const maxAnswerBytes = 64 * 1024;

type OutgoingRequest = { url: URL; headers: Readonly<Record<string, string>>; body: Buffer };

/** Why there is no answer. */
type FailureReason = 'address_refused' | 'dns' | 'connection' | 'tls' | 'timeout' | 'invalid_answer' | 'proxy' | 'internal';
/** A failed request is data, recorded and not thrown. */
export type Outcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      readonly body: Buffer;
      readonly durationMs: number;
    }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly detail: string; readonly durationMs: number };

export type Send = (outgoing: OutgoingRequest) => Promise<Outcome>;

type Options = {
  destinations: Destinations;
  /** For the whole request: look-up, connection, answer. */
  timeoutMs: number;
  /** Every request goes through it; names are still resolved here. */
  proxyUrl?: URL | null;
  /** Certificates to trust in addition to Node's. */
  ca?: string;
};

/** The codes of our own errors among those of the network. */
const refusedCode = 'ERR_ADDRESS_REFUSED';
const proxyCode = 'ERR_PROXY_REFUSED';
/** Not which address: a name of the operator's own network would tell of it. */
const refuse = () => Object.assign(new Error('its address is none that webhooks may go to'), { code: refusedCode });

export function createSend({ destinations, timeoutMs, proxyUrl, ca }: Options): { send: Send; close: () => void } {
  /** Each ends an attempt at once. */
  const underWay = new Set<() => void>();
  const lookUp = createLookups(timeoutMs);
  /** Every address that the name has must be allowed: what is connected to is one of those that were checked. */
  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    lookUp(hostname, options, (error, addresses) => {
      if (error) return callback(error, '');
      if (!addresses.every(({ address }) => destinations.allows(address))) return callback(refuse(), '');
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
      return callback(null, first.address, first.family);
    });
  };
  const agentsOf = (options: http.AgentOptions) => {
    const direct = { lookup: guardedLookup, ...options };
    return proxyUrl
      ? { 'http:': new HttpsProxyAgent(proxyUrl, options), 'https:': new HttpsProxyAgent(proxyUrl, options) }
      : { 'http:': new http.Agent(direct), 'https:': new https.Agent(direct) };
  };
  const kept = agentsOf({ keepAlive: true, maxFreeSockets: 256, timeout: 60_000 });
  const fresh = agentsOf({ keepAlive: false });

  /** What to ask the agent for: the URL, or behind a proxy the address that its name has, which the proxy then connects to. */
  function targetOf(url: URL): Promise<https.RequestOptions> {
    const { protocol, hostname, port, pathname, search, host } = url;
    const target = {
      protocol,
      port: port || (protocol === 'https:' ? 443 : 80),
      path: pathname + search,
      ...(ca !== undefined && { ca }),
    };
    const literal = literalOf(url);
    // Node looks up no name where an address stands.
    if (literal !== null && !destinations.allows(literal)) return Promise.reject(refuse());
    if (!proxyUrl) return Promise.resolve({ ...target, hostname: literal ?? hostname });
    // An address has no name to be known by; its connections are not kept, since the check is another function each time.
    const identity =
      literal === null
        ? { servername: hostname }
        : { checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(literal, certificate) };
    const through = (address: string) => ({ ...target, ...identity, hostname: address, headers: { host } });
    if (literal !== null) return Promise.resolve(through(literal));
    return new Promise((resolve, reject) => {
      // The proxy is asked for one address: more of them have a way out for IPv4.
      guardedLookup(hostname, { order: 'ipv4first' }, (error, address) =>
        error ? reject(error) : resolve(through(String(address))),
      );
    });
  }

  /** `again`: on a connection of its own, in what is left of the time. */
  function send(outgoing: OutgoingRequest, start = performance.now(), again = false): Promise<Outcome> {
    const { url, headers, body } = outgoing;
    const since = () => Math.round(performance.now() - start);
    return new Promise((end) => {
      let request: http.ClientRequest | undefined;
      let answer: http.IncomingMessage | undefined;
      let tunnelled = false;
      let ended = false;
      const chunks: Buffer[] = [];
      let size = 0;
      const resolve = (outcome: Outcome | Promise<Outcome>) => {
        if (ended) return;
        ended = true;
        clearTimeout(timer);
        underWay.delete(abort);
        end(outcome);
      };
      const fail = (reason: FailureReason, detail: string) => resolve({ kind: 'failed', reason, detail, durationMs: since() });
      /** With what came until now: the status is what counts. */
      const finish = (received: http.IncomingMessage) => {
        const text = Buffer.concat(chunks).subarray(0, maxAnswerBytes);
        const { statusCode: status = 0, headers: fields } = received;
        resolve({ kind: 'answered', status, retryAfter: fields['retry-after'], body: text, durationMs: since() });
      };
      const giveUp = (reason: FailureReason, detail: string) => {
        if (answer) finish(answer);
        else fail(reason, detail);
        request?.destroy();
      };
      const timer = setTimeout(() => giveUp('timeout', `no whole answer within ${timeoutMs} ms`), timeoutMs - since());
      const abort = () => giveUp('connection', 'Concord was stopped');
      underWay.add(abort);
      const onError = (error: NodeJS.ErrnoException) => {
        if (answer) finish(answer);
        // The other side closed the connection, in all likelihood while it was idle and before it saw this attempt.
        else if (request?.reusedSocket && error.code === 'ECONNRESET' && !again && !ended) resolve(send(outgoing, start, true));
        else if (proxyUrl && request && !request.reusedSocket && !tunnelled && error.code !== proxyCode)
          fail('proxy', 'the proxy cannot be reached');
        else fail(reasonOf(error), describe(error));
      };

      const ask = (target: https.RequestOptions) => {
        if (ended) return;
        const secure = url.protocol === 'https:';
        request = (secure ? https : http).request({
          ...target,
          method: 'POST',
          agent: (again ? fresh : kept)[secure ? 'https:' : 'http:'],
          headers: { ...target.headers, ...headers, 'content-length': body.length },
          maxHeaderSize: 16 * 1024,
        });
        request.on('error', onError);
        if (!proxyUrl) checkPeer(request);
        // Its answer is none of the receiver's.
        request.on('proxyConnect', ({ statusCode, statusText }: { statusCode: number; statusText: string }) => {
          tunnelled = true;
          if (statusCode !== 200) request?.destroy(Object.assign(new Error(`${statusCode} ${statusText}`), { code: proxyCode }));
        });
        request.on('response', (response) => {
          answer = response;
          response.on('data', (chunk: Buffer) => {
            size += chunk.length;
            chunks.push(chunk);
            if (size < maxAnswerBytes) return;
            finish(response);
            request?.destroy();
          });
          response.on('end', () => finish(response));
          response.on('error', () => finish(response));
        });
        request.end(body);
      };
      targetOf(url).then(ask).catch(onError);
    });
  }

  /** Whatever was looked up: this is who it is connected to. */
  function checkPeer(request: http.ClientRequest): void {
    request.on('socket', (socket) => {
      const check = () => {
        const { remoteAddress } = socket;
        if (remoteAddress !== undefined && !destinations.allows(remoteAddress)) request.destroy(refuse());
      };
      // One that is used again has been checked, and is again.
      if (socket.connecting) socket.once('connect', check);
      else check();
    });
  }

  return {
    send,
    close() {
      for (const abort of underWay) abort();
      for (const agent of [...Object.values(kept), ...Object.values(fresh)]) agent.destroy();
    },
  };
}

function reasonOf({ code = '' }: NodeJS.ErrnoException): FailureReason {
  if (code === refusedCode) return 'address_refused';
  if (code === proxyCode) return 'proxy';
  if (['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA'].includes(code)) return 'dns';
  if (code.startsWith('HPE_')) return 'invalid_answer';
  if (code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_') || code.includes('CERT') || code === 'EPROTO') return 'tls';
  return 'connection';
}

/** What an owner of the endpoint may read: of a connection no address, which the message of Node has. */
function describe(error: NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }): string {
  const [first = error] = error.errors ?? [];
  if (reasonOf(error) === 'connection') return `the connection failed (${first.code ?? 'unknown'})`;
  return first.message.slice(0, 500);
}
