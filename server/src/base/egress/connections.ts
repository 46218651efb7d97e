// Connections to receivers: their addresses are checked when they open, and they are kept for later requests
// to the same origin.
import { constants } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import { type LookupFunction, Socket } from 'node:net';
import { type ConnectionOptions, DEFAULT_CIPHERS, type SecureContext, type TLSSocket } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { refusedCode } from './failures.ts';
import { connectLimited, upgradeLimited } from './handshakes.ts';
import type { LookUp } from './lookups.ts';

export type Agents = Readonly<Record<'http:' | 'https:', http.Agent>>;

/**
 * The server chooses the group of DHE: one of 10,000 bits would stop the process for seconds. TLS 1.3 has no DHE, and
 * OpenSSL takes no list that only excludes.
 */
const ciphers = /(?:^|:)(?!TLS_)/.test(DEFAULT_CIPHERS) ? `${DEFAULT_CIPHERS}:!DHE` : DEFAULT_CIPHERS;

/** What every TLS connection to a receiver has. `ca`: certificates to trust in addition to Node's. */
export const tlsOptions = (ca?: string) => ({
  ciphers,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  ...(ca !== undefined && { ca }),
});

/**
 * How connections are kept: as many of an origin as were in use at once, and each for 60 s, or as long as the
 * receiver says if that is shorter.
 */
const optionsOf = (keep: boolean) =>
  keep
    ? { keepAlive: true, maxFreeSockets: Number.POSITIVE_INFINITY, timeout: 60_000 }
    : { keepAlive: false };

/** The message has no address, since it could reveal the operator's own network. */
export const refuse = () =>
  Object.assign(new Error('its address is in a private or special-purpose range'), { code: refusedCode });

/** Fails unless every address of the name is allowed. The connection goes to one of the checked addresses. */
export function guardLookup(lookUp: LookUp, allows: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, options, (error, addresses) => {
      if (error) return callback(error, '');
      if (!addresses.every(({ address }) => allows(address))) return callback(refuse(), '');
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
      return callback(null, first.address, first.family);
    });
  };
}

type Options = {
  lookUp: LookUp;
  allows: (address: string) => boolean;
  ca?: string | undefined;
  keep: boolean;
};

/**
 * Agents whose connections go straight to receivers. The address of a kept connection was checked when it
 * opened.
 */
export function createAgents({ lookUp, allows, ca, keep }: Options): Agents {
  const options = { lookup: guardLookup(lookUp, allows), ...optionsOf(keep) };
  return {
    'http:': guardHttp(new http.Agent(options), allows),
    'https:': guardHttps(separate(new https.Agent({ ...options, ...tlsOptions(ca) })), allows),
  };
}

/**
 * Agents whose connections go through the egress proxy. Their addresses are checked before the proxy is
 * asked.
 */
export function createProxyAgents(proxyUrl: URL, keep: boolean): Agents {
  const options = optionsOf(keep);
  // With its protocol, the agent does not look for it in a stack trace for each request.
  const agentOf = (protocol: string) =>
    separate(limitHandshakes(Object.assign(new HttpsProxyAgent(proxyUrl, options), { protocol })));
  return { 'http:': agentOf('http:'), 'https:': agentOf('https:') };
}

/** Node keeps `signal` of a request from the agent. */
type TunnelOptions = { readonly ofTunnel?: AbortSignal };

function limitHandshakes(agent: HttpsProxyAgent<string>): HttpsProxyAgent<string> {
  const connect = agent.connect.bind(agent);
  agent.connect = async (request, options) => {
    // Read at once. Else a proxy that does not answer would keep the connection of a request that was given up.
    agent.connectOpts = { ...agent.connectOpts, signal: (options as TunnelOptions).ofTunnel };
    const socket = await connect(request, { ...options, secureEndpoint: false });
    if (!options.secureEndpoint) return socket;
    // Else the agent would keep it, as one with TLS, for the next request.
    return request.destroyed ? socket.end() : upgradeLimited(socket, options);
  };
  return agent;
}

type ClientOptions = { readonly clientId?: string; readonly secureContext?: SecureContext };

/** Connections, and TLS sessions, serve only requests with the same client certificate. */
function separate<A extends http.Agent>(agent: A): A {
  const getName = agent.getName.bind(agent);
  agent.getName = (options?: Parameters<A['getName']>[0] & ClientOptions) =>
    options?.clientId === undefined ? getName(options) : `${getName(options)}:${options.clientId}`;
  return agent;
}

/** Checks the address that is connected, whatever the look-up found. */
function guard(socket: unknown, allows: (address: string) => boolean): void {
  // The first listener: the request has not been written yet.
  if (socket instanceof Socket)
    socket.once('connect', () => {
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && !allows(remoteAddress)) socket.destroy(refuse());
    });
}

function guardHttp(agent: http.Agent, allows: (address: string) => boolean): http.Agent {
  const connect = agent.createConnection;
  agent.createConnection = (options, callback) => {
    const socket = connect.call(agent, options, callback);
    guard(socket, allows);
    return socket;
  };
  return agent;
}

function guardHttps(agent: https.Agent, allows: (address: string) => boolean): https.Agent {
  const connect = agent.createConnection;
  agent.createConnection = (options, callback) =>
    connectLimited(
      options as ConnectionOptions,
      (socket) => guard(socket, allows),
      (limited) => connect.call(agent, limited as typeof options, callback) as TLSSocket,
    );
  return agent;
}
