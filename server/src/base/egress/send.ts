// Sends one request to a checked address: no redirects, limited time, limited answer.
import type * as http from 'node:http';
import type * as https from 'node:https';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { createSecureContexts } from './client-certificates.ts';
import {
  type Agents,
  createAgents,
  createProxyAgents,
  guardLookup,
  refuse,
  tlsOptions,
} from './connections.ts';
import { type Destinations, literalOf } from './destinations.ts';
import { exchange, type InFlight, type Outcome, type OutgoingRequest } from './exchange.ts';
import { createLookups, type LookUp } from './lookups.ts';

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
  const throughProxy = createProxyTargets(guardLookup(lookUp, allows), ca);
  const contextOf = createSecureContexts(ca);
  const guarded = (keep: boolean): Agents =>
    proxyUrl ? createProxyAgents(proxyUrl, keep) : createAgents({ lookUp, allows, ca, keep });
  const kept = guarded(true);
  const fresh = guarded(false);
  // Connections of its own, so that no guarded request gets one of them.
  const toItself = createAgents({ lookUp, allows: () => true, ca, keep: false });

  /** `isSecond`: on a new connection, in the remaining time. */
  function send(
    outgoing: OutgoingRequest,
    startedAt = performance.now(),
    isSecond = false,
  ): Promise<Outcome> {
    const { url, toSelf = false, timeoutMs = options.timeoutMs, client } = outgoing;
    const identity = client && { clientId: client.id, secureContext: contextOf(client) };
    const proxied = Boolean(proxyUrl) && !toSelf;
    return exchange(outgoing, {
      agents: toSelf ? toItself : isSecond ? fresh : kept,
      proxied,
      findTarget() {
        // Node does not look up an address, so the guarded look-up does not see it.
        const literal = literalOf(url);
        if (literal !== null && !toSelf && !allows(literal)) throw refuse();
        const target = { ...targetOf(outgoing, literal), ...identity };
        return proxied ? throughProxy(url, literal, target) : target;
      },
      startedAt,
      timeoutMs,
      tryAgain: isSecond ? null : () => send(outgoing, startedAt, true),
      inFlight,
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

/** To which address the proxy connects: a checked one of the name. */
const createProxyTargets =
  (guardedLookup: ReturnType<typeof guardLookup>, ca: string | undefined) =>
  (url: URL, literal: string | null, target: https.RequestOptions): Promise<https.RequestOptions> => {
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
  };

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
