// Retries, time limits and errors, against a server that answers as each test says.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { otherAnswers } from '../src/client.ts';
import {
  ConcordError,
  createClient,
  createPartner,
  deletePartner,
  getMetrics,
  getPartner,
  items,
  listPartners,
  publishEvent,
  signIn,
  updatePartner,
} from '../src/index.ts';

type Seen = Record<'method' | 'url' | 'body', string> & {
  key: string | undefined;
  authorization: string | undefined;
  headers: IncomingHttpHeaders;
  at: number;
};
type Answer = (response: ServerResponse) => unknown;

const seen: Seen[] = [];
let answers: Answer[] = [];
const server = createServer(async (request: IncomingMessage, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { method = '', url = '', headers } = request;
  seen.push({
    method,
    url,
    key: headers['idempotency-key'] as string | undefined,
    authorization: headers.authorization,
    body,
    headers,
    at: performance.now(),
  });
  (answers.shift() ?? json(200, {}))(response);
});
const json =
  (status: number, body: object, headers = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers })
      .end(JSON.stringify(body));
const busy = (code: string, status: number, headers = {}) =>
  json(status, { message: 'Later.', code, request_id: 'req-1' }, headers);
const cut: Answer = (response) => response.destroy();

let baseUrl: string;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen.length = 0;
  answers = [];
});
afterAll(() => void server.close());

const start = (...given: Answer[]) => {
  answers = given;
  return createClient({ baseUrl: `${baseUrl}/`, token: () => 'secret' });
};
const path = { id: 'ptr_1' };
const failure = (work: Promise<unknown>): Promise<ConcordError> =>
  work.then(
    () => expect.unreachable(),
    (error) => error,
  );

it('sends the token, and reads the body of the answer', async () => {
  const client = start(json(200, { id: 'ptr_1', name: 'Nordlys AS' }));
  const partner = await getPartner({ client, path });
  const name: string = partner.name;
  expect(name).toBe('Nordlys AS');
  expect(seen).toMatchObject([{ method: 'GET', url: '/partners/ptr_1', authorization: 'Bearer secret' }]);
});

it('repeats what cannot do a thing twice: after 503, 408, 429 and a cut connection', async () => {
  const client = start(busy('unavailable', 503), busy('request_timeout', 408), cut);
  await getPartner({ client, path });
  expect(seen).toHaveLength(4);
  start(busy('rate_limited', 429, { 'retry-after': '0' }));
  await deletePartner({ client, path });
  expect(seen).toHaveLength(6);
  start(busy('internal', 500));
  await updatePartner({ client, path, body: { name: 'a' }, headers: { 'if-match': '"1"' } });
  expect(seen).toHaveLength(8);
});

it('repeats a POST with the same idempotency key and body', async () => {
  const client = start(busy('internal', 500), cut);
  await createPartner({ client, body: { name: 'Nordlys AS' } });
  expect(seen.map(({ body }) => JSON.parse(body))).toEqual(Array(3).fill({ name: 'Nordlys AS' }));
  const [{ key } = { key: '' }] = seen;
  expect(key).toMatch(/^[0-9a-f-]{36}$/);
  expect(seen.map((each) => each.key)).toEqual([key, key, key]);
  await createPartner({ client, body: { name: 'a' }, headers: { 'idempotency-key': 'mine' } });
  expect(seen.at(-1)?.key).toBe('mine');
});

it('repeats other POSTs, and a PATCH without If-Match, after 429 only', async () => {
  const client = start(busy('rate_limited', 429, { 'retry-after': '0' }), busy('internal', 500));
  const body = { email: 'a@b.example', password: 'p' };
  expect(await failure(signIn({ client, body }))).toMatchObject({ status: 500, code: 'internal' });
  expect(seen.map(({ key }) => key)).toEqual([undefined, undefined]);
  start(cut);
  expect(await failure(signIn({ client, body }))).toMatchObject({ status: null, code: 'connection_failed' });
  start(busy('internal', 500));
  expect(await failure(updatePartner({ client, path, body: { name: 'a' } }))).toMatchObject({ status: 500 });
  expect(seen).toHaveLength(4);
});

it('repeats what was cut off in the middle of an answer, and nothing else', async () => {
  const half: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '20' });
    response.write('{"id":', () => response.destroy());
  };
  const client = start(half, json(200, { id: 'ptr_1' }));
  expect(await getPartner({ client, path })).toEqual({ id: 'ptr_1' });
  start(half);
  expect(await failure(signIn({ client, body: { email: 'a@b.example', password: 'p' } }))).toMatchObject({
    code: 'connection_failed',
  });
  expect(seen).toHaveLength(3);
});

it('C2: waits for its own first try, which Concord still works on', async () => {
  const inFlight = busy('idempotency_in_flight', 409, { 'retry-after': '0' });
  const client = start(cut, inFlight, inFlight, json(201, { id: 'ptr_1' }));
  expect(await createPartner({ client, body: { name: 'a' } })).toEqual({ id: 'ptr_1' });
  expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
  const body = { email: 'a@b.example', password: 'p' };
  start(inFlight);
  expect(await failure(signIn({ client, body }))).toMatchObject({ status: 409 });
  start(busy('conflict', 409));
  expect(await failure(createPartner({ client, body: { name: 'a' } }))).toMatchObject({ code: 'conflict' });
  expect(seen).toHaveLength(6);
  const hasty = createClient({ baseUrl, maxWaitMs: 999 });
  start(busy('rate_limited', 429, { 'retry-after': '1' }));
  const refusal = await failure(getPartner({ client: hasty, path }));
  expect(refusal).toMatchObject({ status: 429, retryAfterMs: 1_000 });
  expect(seen).toHaveLength(7);
});

it('follows no redirect: its token and body are for one Concord', async () => {
  const location = `${baseUrl.replace('127.0.0.1', 'localhost')}/elsewhere?state=secret`;
  const leads: Answer = (response) => response.writeHead(307, { location }).end();
  const client = start(leads, leads, leads);
  const expected = {
    code: 'invalid_answer',
    status: 307,
    message: expect.stringMatching(/: it leads to http:.*\/elsewhere$/),
  };
  expect(await failure(getPartner({ client, path }))).toMatchObject(expected);
  expect(await failure(createPartner({ client, body: { name: 'a' } }))).toMatchObject(expected);
  const body = { email: 'a@b.example', password: 'p' };
  expect(await failure(signIn({ client, body }))).toMatchObject(expected);
  expect(seen.map(({ url }) => url)).toEqual(['/partners/ptr_1', '/partners', '/api/auth/sign-in/email']);
});

it('a redirect of a browser, which shows nothing of it, is an error at once', async () => {
  // What fetch of a browser gives for `redirect: 'manual'`.
  const opaque = Object.defineProperties(Response.error(), {
    type: { value: 'opaqueredirect' },
  });
  let tries = 0;
  const answerWith = (response: Response) => {
    tries++;
    return response;
  };
  const client = createClient({ baseUrl, fetch: async () => answerWith(opaque) });
  expect(await failure(getPartner({ client, path }))).toMatchObject({ code: 'invalid_answer', status: 0 });
  expect(tries).toBe(1);
});

it('makes keys in a browser without TLS too, which has no randomUUID', async () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  try {
    await createPartner({ client: start(), body: { name: 'a' } });
    expect(seen[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  } finally {
    vi.unstubAllGlobals();
  }
});

it("a Retry-After that is no time is a back-off, and an abort that is nobody's is no answer", async () => {
  await getPartner({ client: start(busy('rate_limited', 429, { 'retry-after': 'soon' })), path });
  expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThanOrEqual(124);
  const gone = async () => {
    throw new DOMException('The page is left', 'AbortError');
  };
  const client = createClient({ baseUrl, fetch: gone, maxRetries: 0 });
  expect(await failure(getPartner({ client, path }))).toMatchObject({ code: 'connection_failed' });
});

it('an idempotency key makes only those POSTs repeatable that take one', async () => {
  const client = start(busy('internal', 500));
  const headers = { 'idempotency-key': 'mine' };
  expect(
    await failure(signIn({ client, body: { email: 'a@b.example', password: 'p' }, headers })),
  ).toMatchObject({
    status: 500,
  });
  expect(seen).toHaveLength(1);
});

it('sends the headers of the client with each request, those of the operation first, and shows each try to its fetch', async () => {
  answers = [busy('internal', 500)];
  const statuses: number[] = [];
  const client = createClient({
    baseUrl,
    headers: { 'concord-console': '1', 'if-none-match': '"of the client"' },
    async fetch(input, init) {
      const response = await fetch(input, init);
      statuses.push(response.status);
      return response;
    },
  });
  await getPartner({ client, path, headers: { 'if-none-match': '"mine"' } });
  expect(statuses).toEqual([500, 200]);
  expect(seen.map(({ headers }) => [headers['concord-console'], headers['if-none-match']])).toEqual(
    Array(2).fill(['1', '"mine"']),
  );
});

it('gives its requests no member that means something else in Deno', async () => {
  vi.stubGlobal(
    'Request',
    class extends Request {
      constructor(input: string | URL | Request, init?: RequestInit & { client?: unknown }) {
        if (init?.client !== undefined) throw new TypeError('Argument 2 `client` must be a Deno.HttpClient');
        super(input, init);
      }
    },
  );
  try {
    expect(await getPartner({ client: start(json(200, { id: 'ptr_1' })), path })).toEqual({ id: 'ptr_1' });
  } finally {
    vi.unstubAllGlobals();
  }
});

it.each([[['ptr_1']], [['ptr_1', 'ptr_2']]])(
  'ends a list whose pages %j come again, as behind a cache that ignores queries',
  async (ids) => {
    const toPage = (id: string) => json(200, [{ id }], { link: `</partners?page_from=${id}>; rel="next"` });
    const list = items(listPartners, { client: start(...[...ids, ...ids, ...ids].map(toPage)) });
    const found: string[] = [];
    const reading = (async () => {
      for await (const { id } of list) found.push(id);
    })();
    expect(await failure(reading)).toMatchObject({ code: 'invalid_answer', status: 200 });
    expect(found).toEqual(ids);
    const odd = items(listPartners, { client: start(json(200, {})) }).next();
    expect(await failure(odd)).toMatchObject({ code: 'invalid_answer' });
  },
);

it('says that nothing has changed', async () => {
  const client = start((response) => response.writeHead(304, { etag: '"1"' }).end());
  const asked = getPartner({ client, path, headers: { 'if-none-match': '"1"' } });
  expect(await failure(asked)).toMatchObject({ code: 'not_modified', status: 304 });
});

it('gives up after the retries, or at once when Concord asks for a long wait', async () => {
  const client = start(...Array(9).fill(busy('internal', 500)));
  expect(await failure(getPartner({ client, path }))).toMatchObject({ status: 500, retryAfterMs: null });
  const waits = seen.map(({ at }, index) => at - (seen[index - 1]?.at ?? at));
  for (const [index, leastMs] of [0, 124, 249, 499].entries())
    expect(waits[index]).toBeGreaterThanOrEqual(leastMs);
  expect(seen).toHaveLength(4);
  for (const long of ['61', new Date(Date.now() + 70_000).toUTCString()]) {
    start(busy('rate_limited', 429, { 'retry-after': long }));
    expect(await failure(getPartner({ client, path }))).toMatchObject({
      status: 429,
      code: 'rate_limited',
      requestId: 'req-1',
      retryAfterMs: expect.closeTo(65_000, -4),
    });
  }
  expect(seen).toHaveLength(6);
});

it('throws one class, with the faults of the request', async () => {
  const errors = [{ pointer: '/type', code: 'required', message: 'is required' }];
  const client = start(
    json(400, { message: 'Wrong.', code: 'invalid_request', request_id: 'req-1', errors }),
  );
  const error = await failure(publishEvent({ client, path, body: { type: 'a', data: {} } }));
  expect(error).toBeInstanceOf(ConcordError);
  expect(error).toMatchObject({
    name: 'ConcordError',
    message: 'Wrong.',
    code: 'invalid_request',
    status: 400,
    requestId: 'req-1',
    faults: errors,
  });
  start((response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>'));
  expect(await failure(getPartner({ client, path }))).toMatchObject({
    code: 'invalid_answer',
    status: 404,
    cause: '<h1>Not here</h1>',
  });
  for (const text of ['<h1>', '']) {
    start((response) => response.writeHead(200, { 'content-type': 'application/json' }).end(text));
    expect(await failure(getPartner({ client, path }))).toMatchObject({
      code: 'invalid_answer',
      status: 200,
    });
  }
  for (const body of [
    { code: 'a', message: null },
    { code: 'a', message: 'b', errors: 'c' },
  ]) {
    start(json(400, body));
    expect(await failure(getPartner({ client, path }))).toMatchObject({ code: 'invalid_answer', faults: [] });
  }
});

it('refuses the 200 of a proxy, which is not JSON, but for the operations that answer with something else', async () => {
  for (const headers of [{ 'content-type': 'text/html' }, { 'content-type': 'text/plain' }, {}]) {
    const client = start((response) => response.writeHead(200, headers).end('<h1>Sign in</h1>'));
    const error = await failure(items(listPartners, { client }).next());
    expect(error).toMatchObject({ code: 'invalid_answer', status: 200 });
  }
  const client = start((response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('up 1'));
  expect(await getMetrics({ client })).toBe('up 1');
  expect(
    await deletePartner({ client: start((response) => response.writeHead(204).end()), path }),
  ).toBeNull();
  const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>;
  };
  const others = Object.entries(paths).filter(([, operations]) =>
    Object.values(operations).some(({ responses }) =>
      Object.values(responses).some(({ content = {} }) =>
        Object.keys(content).some((type) => !['application/json', 'text/event-stream'].includes(type)),
      ),
    ),
  );
  expect(new Set(others.map(([url]) => url))).toEqual(otherAnswers);
});

it('reads no answer that is larger than Concord makes, and asks for it once', async () => {
  const part = new Uint8Array(1_048_576);
  let parts = 0;
  const fetch = vi.fn(async () => {
    const body = new ReadableStream({ pull: (to) => (parts++ < 300 ? to.enqueue(part) : to.close()) });
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  });
  const error = await failure(getPartner({ client: createClient({ baseUrl, fetch }), path }));
  expect(error).toMatchObject({
    code: 'invalid_answer',
    message: expect.stringContaining('256 MiB'),
    status: 200,
  });
  expect(fetch).toHaveBeenCalledOnce();
  expect(parts).toBeLessThan(260);
});

it('ends a try after the timeout, also while it reads the body, and stops when the caller does', async () => {
  const hang: Answer = () => {};
  answers = [hang, (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{')];
  const hasty = createClient({ baseUrl, timeoutMs: 500, maxRetries: 0 });
  expect(await failure(getPartner({ client: hasty, path }))).toMatchObject({ code: 'timeout', status: null });
  // A request that comes late would take the answer of the next one.
  await expect.poll(() => seen.length).toBe(1);
  expect(await failure(getPartner({ client: hasty, path }))).toMatchObject({ code: 'timeout' });
  await expect.poll(() => seen.length).toBe(2);

  expect(await getPartner({ client: createClient({ baseUrl, timeoutMs: 0 }), path })).toEqual({});
  expect(seen.splice(2)).toHaveLength(1);

  const stop = new AbortController();
  const client = start(hang, hang);
  const { signal } = stop;
  const body = { email: 'a@b.example', password: 'p' };
  const asked = [getPartner({ client, path, signal }), signIn({ client, body, signal })].map(failure);
  await expect.poll(() => seen.length).toBe(4);
  stop.abort(new Error('enough'));
  expect(await Promise.all(asked)).toMatchObject([{ message: 'enough' }, { message: 'enough' }]);
  start(busy('internal', 503, { 'retry-after': '30' }));
  const waiting = new AbortController();
  const waited = failure(getPartner({ client, path, signal: waiting.signal }));
  await expect.poll(() => seen.length).toBe(5);
  waiting.abort(new Error('enough waiting'));
  expect(await waited).toMatchObject({ message: 'enough waiting' });
});
