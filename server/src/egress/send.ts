// Sends one request to a checked address: no redirects, limited time, limited answer.
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
/** A failed request is data: it is recorded, not thrown. */
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
  /** For the whole request: look-up, connection and answer. */
  timeoutMs: number;
  /** The egress proxy of every request. Names are still resolved here. */
  proxyUrl?: URL | null;
  /** Certificates to trust in addition to Node's. */
  ca?: string;
};

/** Codes of our own errors, among those of Node. */
const refusedCode = 'ERR_ADDRESS_REFUSED';
const proxyCode = 'ERR_PROXY_REFUSED';
/** The message has no address, since it could reveal the operator's own network. */
const refuse = () => Object.assign(new Error('its address is in a private or special-purpose range'), { code: refusedCode });

export function createSend({ destinations, timeoutMs, proxyUrl, ca }: Options): { send: Send; close: () => void } {
  /** Each function aborts a request. */
  const inFlight = new Set<() => void>();
  const lookUp = createLookups(timeoutMs);
  /** Fails unless every address of the name is allowed. The connection goes to one of the checked addresses. */
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

  /** Where the request goes: to the URL, or with a proxy to a checked address of its name, to which the proxy connects. */
  function targetOf(url: URL): Promise<https.RequestOptions> {
    const { protocol, hostname, port, pathname, search, host } = url;
    const target = {
      protocol,
      port: port || (protocol === 'https:' ? 443 : 80),
      path: pathname + search,
      ...(ca !== undefined && { ca }),
    };
    const literal = literalOf(url);
    // Node does not look up an address, so the guarded look-up does not see it.
    if (literal !== null && !destinations.allows(literal)) return Promise.reject(refuse());
    if (!proxyUrl) return Promise.resolve({ ...target, hostname: literal ?? hostname });
    // TLS checks the name. For an address it checks the address; such connections are not reused, since the function is a new one.
    const identity =
      literal === null
        ? { servername: hostname }
        : { checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(literal, certificate) };
    const through = (address: string) => ({ ...target, ...identity, hostname: address, headers: { host } });
    if (literal !== null) return Promise.resolve(through(literal));
    return new Promise((resolve, reject) => {
      // The proxy gets one address. More proxies can reach IPv4.
      guardedLookup(hostname, { order: 'ipv4first' }, (error, address) =>
        error ? reject(error) : resolve(through(String(address))),
      );
    });
  }

  /** `again`: a second try, on a new connection and in the remaining time. */
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
        inFlight.delete(abort);
        end(outcome);
      };
      const fail = (reason: FailureReason, detail: string) => resolve({ kind: 'failed', reason, detail, durationMs: since() });
      /** Ends with what has arrived, since the status decides. */
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
      const timer = setTimeout(() => giveUp('timeout', `no complete answer within ${timeoutMs} ms`), timeoutMs - since());
      const abort = () => giveUp('connection', 'Concord was stopped');
      inFlight.add(abort);
      const onError = (error: NodeJS.ErrnoException) => {
        if (answer) finish(answer);
        // The receiver probably closed the idle connection before it saw this request.
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
        // The proxy's answer is not the receiver's.
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

  /** Checks the address that is connected, whatever the look-up found. */
  function checkPeer(request: http.ClientRequest): void {
    request.on('socket', (socket) => {
      const check = () => {
        const { remoteAddress } = socket;
        if (remoteAddress !== undefined && !destinations.allows(remoteAddress)) request.destroy(refuse());
      };
      if (socket.connecting) socket.once('connect', check);
      else check();
    });
  }

  return {
    send,
    close() {
      for (const abort of inFlight) abort();
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

/** The detail that the partner may read. Node's message about a connection has the address, so only its code is shown. */
function describe(error: NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }): string {
  const [first = error] = error.errors ?? [];
  if (reasonOf(error) === 'connection') return `the connection failed (${first.code ?? 'unknown'})`;
  return first.message.slice(0, 500);
}
