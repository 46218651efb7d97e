// Sends one request to a checked address: no redirects, limited time, limited answer.
import { constants } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { type Answer, readAnswer } from './answer.ts';
import { type Destinations, literalOf } from './destinations.ts';
import { type Failure, type FailureReason, failureOf, proxyCode, refusedCode } from './failures.ts';
import { createLookups, type LookUp } from './lookups.ts';

type OutgoingRequest = {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** To Concord itself: any address is allowed, and the egress proxy is left out, since it would reach its own loopback address. */
  toSelf?: boolean;
};

/** A failed request is data: it is recorded, not thrown. */
export type Outcome = { readonly durationMs: number } & (
  | ({ readonly kind: 'answered' } & Answer)
  | ({ readonly kind: 'failed' } & Failure)
);

export type Send = (outgoing: OutgoingRequest) => Promise<Outcome>;

type Options = {
  destinations: Destinations;
  /** For the whole request: look-up, connection and answer. */
  timeoutMs: number;
  /** The egress proxy of every request. Names are still resolved here. */
  proxyUrl?: URL | null;
  /** Certificates to trust in addition to Node's. */
  ca?: string;
  /** Finds the addresses of names. */
  lookUp?: LookUp;
};

/** The message has no address, since it could reveal the operator's own network. */
const refuse = () => Object.assign(new Error('its address is in a private or special-purpose range'), { code: refusedCode });

export function createSend(options: Options): { send: Send; close: () => void } {
  const { destinations, timeoutMs, proxyUrl, ca, lookUp = createLookups(timeoutMs) } = options;
  /** Each function aborts a request. */
  const inFlight = new Set<() => void>();
  /** Fails unless every address of the name is allowed. The connection goes to one of the checked addresses. */
  const lookupOf =
    (allows: (address: string) => boolean): LookupFunction =>
    (hostname, options, callback) => {
      lookUp(hostname, options, (error, addresses) => {
        if (error) return callback(error, '');
        if (!addresses.every(({ address }) => allows(address))) return callback(refuse(), '');
        if (options.all) return callback(null, addresses);
        const [first] = addresses;
        if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
        return callback(null, first.address, first.family);
      });
    };
  const guardedLookup = lookupOf(destinations.allows);
  const agentsOf = (options: http.AgentOptions) => {
    const direct = { lookup: guardedLookup, ...options };
    return proxyUrl
      ? { 'http:': new HttpsProxyAgent(proxyUrl, options), 'https:': new HttpsProxyAgent(proxyUrl, options) }
      : { 'http:': new http.Agent(direct), 'https:': new https.Agent(direct) };
  };
  const kept = agentsOf({ keepAlive: true, maxFreeSockets: 256, timeout: 60_000 });
  const fresh = agentsOf({ keepAlive: false });
  // Connections of its own, so that no guarded request gets one of them.
  const own = { lookup: lookupOf(() => true), keepAlive: false };
  const toItself = { 'http:': new http.Agent(own), 'https:': new https.Agent(own) };

  /** Where the request goes: to the URL, or with a proxy to a checked address of its name, to which the proxy connects. */
  function targetOf({ url, toSelf = false }: OutgoingRequest): Promise<https.RequestOptions> {
    const { protocol, hostname, port, href, origin } = url;
    const literal = literalOf(url);
    // Node does not look up an address, so the guarded look-up does not see it.
    if (literal !== null && !toSelf && !destinations.allows(literal)) return Promise.reject(refuse());
    const target = {
      protocol,
      port: port || (protocol === 'https:' ? 443 : 80),
      // As in the signed URL. `pathname + search` would lose an empty query.
      path: href.slice(origin.length),
      // TLS names have no dot at the end (RFC 6066, section 3).
      ...(literal === null && { servername: hostname.replace(/\.$/, '') }),
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
      ...(ca !== undefined && { ca }),
    };
    if (!proxyUrl || toSelf) return Promise.resolve({ ...target, hostname: literal ?? hostname });
    const through = (address: string) => ({ ...target, hostname: address });
    if (literal !== null) {
      // Such connections are not reused, since the function is a new one.
      const checkIdentity = (_: string, certificate: PeerCertificate) => checkServerIdentity(literal, certificate);
      return Promise.resolve({ ...through(literal), checkServerIdentity: checkIdentity });
    }
    return new Promise((resolve, reject) => {
      // The proxy gets one address. More proxies can reach IPv4.
      guardedLookup(hostname, { order: 'ipv4first' }, (error, address) =>
        error ? reject(error) : resolve(through(String(address))),
      );
    });
  }

  /** `again`: a second try, on a new connection and in the remaining time. */
  function send(outgoing: OutgoingRequest, start = performance.now(), again = false): Promise<Outcome> {
    const { url, headers, body, toSelf = false } = outgoing;
    const proxied = proxyUrl && !toSelf;
    const since = () => Math.round(performance.now() - start);
    return new Promise((end) => {
      let request: http.ClientRequest | undefined;
      let answer: () => Answer | undefined = () => undefined;
      let tunnelled = false;
      let ended = false;
      const resolve = (outcome: Outcome | Promise<Outcome>) => {
        if (ended) return;
        ended = true;
        clearTimeout(timer);
        inFlight.delete(abort);
        end(outcome);
      };
      /** The status decides, if it has arrived. */
      const finish = (failure: () => Failure) => {
        const received = answer();
        resolve({ ...(received ? { kind: 'answered', ...received } : { kind: 'failed', ...failure() }), durationMs: since() });
      };
      const giveUp = (reason: FailureReason, detail: string) => {
        finish(() => ({ reason, detail }));
        request?.destroy();
      };
      let timer = setTimeout(() => giveUp('timeout', `no status within ${timeoutMs} ms`), timeoutMs - since());
      const abort = () => giveUp('connection', 'Concord was stopped');
      inFlight.add(abort);
      const onError = (error: NodeJS.ErrnoException) => {
        // The receiver probably closed the idle connection before it saw this request.
        const idle = request?.reusedSocket === true && error.code === 'ECONNRESET' && !again && !ended && !answer();
        if (idle) resolve(send(outgoing, start, true));
        else if (proxied && request && !request.reusedSocket && !tunnelled && error.code !== proxyCode)
          finish(() => ({ reason: 'proxy', detail: 'the proxy cannot be reached' }));
        else finish(() => failureOf(error));
      };

      const ask = (target: https.RequestOptions) => {
        if (ended) return;
        const secure = url.protocol === 'https:';
        request = (secure ? https : http).request({
          ...target,
          method: 'POST',
          agent: (toSelf ? toItself : again ? fresh : kept)[secure ? 'https:' : 'http:'],
          headers: { host: url.host, ...headers, 'content-length': body.length },
          maxHeaderSize: 16 * 1024,
        });
        request.on('error', onError);
        if (!proxyUrl && !toSelf) checkPeer(request);
        // The proxy's answer is not the receiver's.
        request.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
          tunnelled = true;
          if (statusCode !== 200)
            request?.destroy(Object.assign(new Error(`the proxy answered ${statusCode}`), { code: proxyCode }));
        });
        answer = readAnswer(request, {
          decided(bodyMs) {
            clearTimeout(timer);
            timer = setTimeout(
              () => giveUp('timeout', 'the rest of the answer is not read'),
              Math.min(bodyMs, timeoutMs - since()),
            );
          },
          complete() {
            finish(() => ({ reason: 'connection', detail: 'the connection was closed' }));
            // Without this, a receiver that never reads the rest of the request would hold the connection.
            if (!request?.writableFinished) request?.destroy();
          },
          broken: (detail) => giveUp('invalid_answer', detail),
        });
        request.end(body);
      };
      targetOf(outgoing).then(ask).catch(onError);
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
      for (const agent of [kept, fresh, toItself].flatMap((agents) => Object.values<http.Agent>(agents))) agent.destroy();
    },
  };
}
