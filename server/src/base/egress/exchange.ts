// One request on the wire, which ends once, within its time, as an outcome.
import * as http from 'node:http';
import * as https from 'node:https';
import { type Answer, type AnswerLimits, readAnswer } from './answer.ts';
import type { ClientCertificate } from './client-certificates.ts';
import type { Agents } from './connections.ts';
import {
  clientFailureOf,
  type Failure,
  type FailureReason,
  failureOf,
  type Handshake,
  proxyCode,
} from './failures.ts';

export type OutgoingRequest = {
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

type Way = {
  agents: Agents;
  /** Through the egress proxy. */
  proxied: boolean;
  /** @throws Error when the address is not allowed */
  findTarget: () => https.RequestOptions | Promise<https.RequestOptions>;
  /** By `performance.now()`. `timeoutMs` counts from then. */
  startedAt: number;
  timeoutMs: number;
  /** After an idle connection was closed. Null: this is the second try. */
  tryAgain: (() => Promise<Outcome>) | null;
  inFlight: InFlight[];
};

export function exchange({ url, body, client, limits }: OutgoingRequest, way: Way): Promise<Outcome> {
  const { agents, proxied, tryAgain } = way;
  // Until the proxy has answered, the request has no connection that it could destroy.
  const tunnel = proxied ? new AbortController() : null;
  return new Promise((settle) => {
    let request: http.ClientRequest | undefined;
    let answer: () => Answer | undefined = () => undefined;
    let handshake: () => Handshake['state'] = () => 'begun';
    let isTunnelled = () => false;
    const ending = createEnding(way, {
      settle,
      answer: () => answer(),
      destroy() {
        request?.destroy();
        tunnel?.abort();
      },
    });
    const onError = (error: NodeJS.ErrnoException) => {
      // The receiver probably closed the idle connection before it saw this request.
      const idle =
        request?.reusedSocket === true && error.code === 'ECONNRESET' && !ending.hasEnded() && !answer();
      const refusal = clientFailureOf(error, {
        state: handshake(),
        hasClientCertificate: client !== undefined,
      });
      if (idle && tryAgain) ending.resolve(tryAgain());
      else if (refusal) ending.finish(() => refusal);
      else if (proxied && request && !request.reusedSocket && !isTunnelled() && error.code !== proxyCode)
        ending.finish(() => ({ reason: 'proxy', detail: 'the proxy cannot be reached' }));
      else ending.finish(() => failureOf(error));
    };

    const ask = (target: https.RequestOptions) => {
      if (ending.hasEnded()) return;
      const secure = url.protocol === 'https:';
      request = (secure ? https : http).request({
        ...target,
        ...(tunnel && { ofTunnel: tunnel.signal }),
        agent: agents[secure ? 'https:' : 'http:'],
      });
      request.on('error', onError);
      if (secure) handshake = watchHandshake(request);
      if (proxied) isTunnelled = watchTunnel(request);
      answer = readAnswer(
        request,
        {
          decided: ending.limitRest,
          complete() {
            ending.finish(() => ({ reason: 'connection', detail: 'the connection was closed' }));
            // Without this, a receiver that never reads the rest of the request would hold the connection.
            if (!request?.writableFinished) request?.destroy();
          },
          broken: (detail) => ending.giveUp('invalid_answer', detail),
        },
        limits,
      );
      request.end(body);
    };
    try {
      const target = way.findTarget();
      if (target instanceof Promise) target.then(ask).catch(onError);
      else ask(target);
    } catch (error) {
      onError(error as NodeJS.ErrnoException);
    }
  });
}

type Ends = {
  settle: (outcome: Outcome | Promise<Outcome>) => void;
  answer: () => Answer | undefined;
  destroy: () => void;
};

/** The end of a request: the first of its answer, its failure, its time, and the stop of Concord. */
function createEnding({ inFlight, startedAt, timeoutMs }: Way, { settle, answer, destroy }: Ends) {
  let ended = false;
  const since = () => Math.round(performance.now() - startedAt);
  const resolve = (outcome: Outcome | Promise<Outcome>) => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    remove(inFlight, self);
    settle(outcome);
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
    destroy();
  };
  let timer = setTimeout(() => giveUp('timeout', `no status within ${timeoutMs} ms`), timeoutMs - since());
  const self = { at: inFlight.length, abort: () => giveUp('connection', 'Concord was stopped') };
  inFlight.push(self);
  return {
    hasEnded: () => ended,
    resolve,
    finish,
    giveUp,
    /** After the status. */
    limitRest(bodyMs: number): void {
      if (ended) return;
      clearTimeout(timer);
      timer = setTimeout(
        () => giveUp('timeout', 'the rest of the answer is not read'),
        Math.min(bodyMs, timeoutMs - since()),
      );
    },
  };
}

/** TLS has keys when the certificate of the server has arrived. The keys themselves are not kept. */
function watchHandshake(request: http.ClientRequest): () => Handshake['state'] {
  let state: Handshake['state'] = 'begun';
  request.once('socket', (socket) => {
    if (request.reusedSocket) return;
    socket.once('keylog', () => {
      state = 'agreed';
    });
    socket.once('secureConnect', () => {
      state = 'done';
    });
  });
  return () => state;
}

/** The proxy's answer is not the receiver's. */
function watchTunnel(request: http.ClientRequest): () => boolean {
  let isTunnelled = false;
  request.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
    isTunnelled = true;
    if (statusCode !== 200)
      request.destroy(Object.assign(new Error(`the proxy answered ${statusCode}`), { code: proxyCode }));
  });
  return () => isTunnelled;
}

/**
 * A request in flight, and its place in the array of those. A Set would keep finished requests in memory
 * until a full garbage collection: each time it grows or shrinks, its old table refers to the new one.
 */
export type InFlight = { at: number; readonly abort: () => void };

function remove(inFlight: InFlight[], gone: InFlight): void {
  const last = inFlight.pop();
  if (!last || last === gone) return;
  last.at = gone.at;
  inFlight[gone.at] = last;
}
