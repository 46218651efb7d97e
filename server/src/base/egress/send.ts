// Sends one request to a checked address: no redirects, limited time, limited answer.
import * as http from 'node:http';
import * as https from 'node:https';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { type Answer, type AnswerLimits, readAnswer } from './answer.ts';
import { type ClientCertificate, createSecureContexts } from './client-certificates.ts';
import {
  type Agents,
  createAgents,
  createProxyAgents,
  guardLookup,
  refuse,
  tlsOptions,
} from './connections.ts';
import { type Destinations, literalOf } from './destinations.ts';
import {
  clientFailureOf,
  type Failure,
  type FailureReason,
  failureOf,
  type Handshake,
  proxyCode,
} from './failures.ts';
import { createLookups, type LookUp } from './lookups.ts';

type OutgoingRequest = {
  url: URL;
  /** Default: POST. */
  method?: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** For the whole request. Default: that of all requests. */
  timeoutMs?: number;
  /**
   * To Concord itself: any address is allowed, and the egress proxy is left out, since it would reach its own
   * loopback address.
   */
  toSelf?: boolean;
  /** For a receiver that demands one. */
  client?: ClientCertificate | undefined;
  /** Default: those of receivers of webhooks. */
  limits?: AnswerLimits;
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
  ca?: string;
  lookUp?: LookUp;
};

export function createSend(options: Options): { send: Send; close: () => void } {
  const { destinations, proxyUrl, ca, lookUp = createLookups(options.timeoutMs) } = options;
  const inFlight: InFlight[] = [];
  const { allows } = destinations;
  const guardedLookup = guardLookup(lookUp, allows);
  const contextOf = createSecureContexts(ca);
  const guarded = (keep: boolean): Agents =>
    proxyUrl ? createProxyAgents(proxyUrl, keep) : createAgents({ lookUp, allows, ca, keep });
  const kept = guarded(true);
  const fresh = guarded(false);
  // Connections of its own, so that no guarded request gets one of them.
  const toItself = createAgents({ lookUp, allows: () => true, ca, keep: false });

  /** To which address the proxy connects: a checked one of the name. */
  function throughProxy(
    url: URL,
    literal: string | null,
    target: https.RequestOptions,
  ): Promise<https.RequestOptions> {
    const through = (hostname: string) => ({ ...target, ...tlsOptions(ca), hostname });
    if (literal !== null) {
      // Such connections are not reused, since the function is a new one.
      const checkIdentity = (_: string, certificate: PeerCertificate) =>
        checkServerIdentity(literal, certificate);
      return Promise.resolve({ ...through(literal), checkServerIdentity: checkIdentity });
    }
    return new Promise((resolve, reject) => {
      // The proxy gets one address. More proxies can reach IPv4.
      guardedLookup(url.hostname, { order: 'ipv4first' }, (error, address) =>
        error ? reject(error) : resolve(through(String(address))),
      );
    });
  }

  /** `again`: a second try, on a new connection and in the remaining time. */
  function send(outgoing: OutgoingRequest, start = performance.now(), again = false): Promise<Outcome> {
    const { url, body, toSelf = false, timeoutMs = options.timeoutMs, client, limits } = outgoing;
    const identity = client && { clientId: client.id, secureContext: contextOf(client) };
    const proxied = proxyUrl && !toSelf;
    // Until the proxy has answered, the request has no connection that it could destroy.
    const tunnel = proxied && new AbortController();
    const agents = toSelf ? toItself : again ? fresh : kept;
    const since = () => Math.round(performance.now() - start);
    return new Promise((end) => {
      let request: http.ClientRequest | undefined;
      let answer: () => Answer | undefined = () => undefined;
      let tunnelled = false;
      let handshake: Handshake['state'] = 'begun';
      let ended = false;
      const resolve = (outcome: Outcome | Promise<Outcome>) => {
        if (ended) return;
        ended = true;
        clearTimeout(timer);
        remove(inFlight, self);
        end(outcome);
      };
      /** The status decides, if it has arrived. */
      const finish = (failure: () => Failure) => {
        if (ended) return;
        const received = answer();
        resolve({
          ...(received ? { kind: 'answered', ...received } : { kind: 'failed', ...failure() }),
          durationMs: since(),
        });
      };
      const giveUp = (reason: FailureReason, detail: string) => {
        finish(() => ({ reason, detail }));
        request?.destroy();
        if (tunnel) tunnel.abort();
      };
      let timer = setTimeout(
        () => giveUp('timeout', `no status within ${timeoutMs} ms`),
        timeoutMs - since(),
      );
      const self = { at: inFlight.length, abort: () => giveUp('connection', 'Concord was stopped') };
      inFlight.push(self);
      const onError = (error: NodeJS.ErrnoException) => {
        // The receiver probably closed the idle connection before it saw this request.
        const idle =
          request?.reusedSocket === true && error.code === 'ECONNRESET' && !again && !ended && !answer();
        const refusal = clientFailureOf(error, {
          state: handshake,
          hasClientCertificate: client !== undefined,
        });
        if (idle) resolve(send(outgoing, start, true));
        else if (refusal) finish(() => refusal);
        else if (proxied && request && !request.reusedSocket && !tunnelled && error.code !== proxyCode)
          finish(() => ({ reason: 'proxy', detail: 'the proxy cannot be reached' }));
        else finish(() => failureOf(error));
      };

      const ask = (target: https.RequestOptions) => {
        if (ended) return;
        const secure = url.protocol === 'https:';
        request = (secure ? https : http).request({
          ...target,
          ...(tunnel && { ofTunnel: tunnel.signal }),
          agent: agents[secure ? 'https:' : 'http:'],
        });
        request.on('error', onError);
        // TLS has keys when the certificate of the server has arrived. The keys themselves are not kept.
        if (secure)
          request.once('socket', (socket) => {
            if (request?.reusedSocket) return;
            socket.once('keylog', () => {
              handshake = 'agreed';
            });
            socket.once('secureConnect', () => {
              handshake = 'done';
            });
          });
        // The proxy's answer is not the receiver's.
        if (proxied)
          request.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
            tunnelled = true;
            if (statusCode !== 200)
              request?.destroy(
                Object.assign(new Error(`the proxy answered ${statusCode}`), { code: proxyCode }),
              );
          });
        answer = readAnswer(
          request,
          {
            decided(bodyMs) {
              if (ended) return;
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
          },
          limits,
        );
        request.end(body);
      };
      try {
        // Node does not look up an address, so the guarded look-up does not see it.
        const literal = literalOf(url);
        if (literal !== null && !toSelf && !allows(literal)) throw refuse();
        const target = { ...targetOf(outgoing, literal), ...identity };
        if (proxied) throughProxy(url, literal, target).then(ask).catch(onError);
        else ask(target);
      } catch (error) {
        onError(error as NodeJS.ErrnoException);
      }
    });
  }

  return {
    send,
    close() {
      for (const { abort } of [...inFlight]) abort();
      for (const agent of [kept, fresh, toItself].flatMap((agents) => Object.values<http.Agent>(agents)))
        agent.destroy();
    },
  };
}

/**
 * A request in flight, and its place in the array of those. A Set would keep finished requests in memory
 * until a full garbage collection: each time it grows or shrinks, its old table refers to the new one.
 */
type InFlight = { at: number; readonly abort: () => void };

function remove(inFlight: InFlight[], gone: InFlight): void {
  const last = inFlight.pop();
  if (!last || last === gone) return;
  last.at = gone.at;
  inFlight[gone.at] = last;
}

function targetOf(
  { url, method = 'POST', headers, body }: OutgoingRequest,
  literal: string | null,
): https.RequestOptions {
  const { protocol, hostname, port, href, origin } = url;
  // A list, which Node writes as it is.
  const list = ['host', url.host];
  for (const name in headers) list.push(name, String(headers[name]));
  list.push('content-length', String(body.length));
  return {
    protocol,
    hostname: literal ?? hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    // As in the signed URL. `pathname + search` would lose an empty query.
    path: href.slice(origin.length),
    method,
    headers: list,
    maxHeaderSize: 16 * 1024,
    // TLS names have no dot at the end (RFC 6066, section 3).
    ...(literal === null && { servername: hostname.endsWith('.') ? hostname.slice(0, -1) : hostname }),
  };
}
