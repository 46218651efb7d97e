// What `concord listen` does when Concord, its answers or the connection fail. Concord answers what the test says.
import { createServer, type ServerResponse } from 'node:http';
import { createClient } from '@concord/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ListenerRequest, Outcome } from '../src/listening/forward.ts';
import { listen } from '../src/listening/listener.ts';
import { listenOn } from './run-cli.ts';

type Respond = (response: ServerResponse) => void;
const status =
  (code: number): Respond =>
  (response) =>
    response
      .writeHead(code, { 'content-type': 'application/json' })
      .end(code === 204 ? undefined : JSON.stringify({ code: 'some_code', message: `No: ${code}.` }));
const cut: Respond = (response) => response.destroy();

const requestOf = (id: string) => ({
  id,
  delivery_id: `dlv_${id}`,
  event_id: 'evt_1',
  event_type: 'stock.changed',
  attempt: 1,
  headers: [{ name: 'a', value: 'b' }],
  body: '{}',
});
const line = (data: object) => `event: request\ndata: ${JSON.stringify(data)}\n\n`;
/** A stream that stays open. */
const sends =
  (...requests: object[]): Respond =>
  (response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write(`: ok\n\n${requests.map(line).join('')}`);

type Options = {
  streams?: Respond[];
  /** To the request for a listener, instead of its endpoint. */
  create?: Respond;
  /** To answers of requests, the last one again and again. */
  answers?: Respond[];
  remove?: Respond;
  handle?: (request: ListenerRequest) => Promise<Outcome>;
};

/** A listener of a Concord that gives each stream in turn, the last one again and again. */
async function start({ streams = [], create, answers = [], remove = status(204), handle }: Options) {
  const seen = {
    created: 0,
    answered: [] as unknown[],
    removed: [] as string[],
    opens: [] as boolean[],
    handled: [] as string[],
    problems: [] as string[],
  };
  const next = (all: Respond[]) => (all.length > 1 ? all.shift() : all[0]) ?? status(204);
  const server = createServer(async (request, response) => {
    const { method, url = '' } = request;
    let body = '';
    for await (const part of request) body += part;
    response.on('error', () => {});
    if (url.endsWith('/listeners')) {
      const endpoint = JSON.stringify({ id: `whe_${++seen.created}` });
      if (create) return create(response);
      response.writeHead(201, { 'content-type': 'application/json' }).end(endpoint);
    } else if (url.endsWith('/requests')) {
      next(streams)(response);
    } else if (method === 'DELETE') {
      seen.removed.push(url.split('/').at(-1) ?? '');
      remove(response);
    } else {
      seen.answered.push({ id: url.split('/').at(-2), ...JSON.parse(body) });
      next(answers)(response);
    }
  });
  const baseUrl = await listenOn(server);
  const ending = new AbortController();
  const done = listen({
    client: createClient({ baseUrl, token: 'token', maxRetries: 0, timeoutMs: 0 }),
    baseUrl,
    token: 'token',
    partner: 'ptr_x',
    forwardTo: 'http://localhost/',
    eventTypes: null,
    ended: ending.signal,
    handle: handle ?? (async () => ({ status: 200, body: '', durationMs: 1 })),
    onEndpoint: () => {},
    onOpen: (isFirst) => seen.opens.push(isFirst),
    onHandled: ({ id }) => seen.handled.push(id),
    onProblem: (text) => seen.problems.push(text),
  });
  done.catch(() => {});
  onTestFinished(() => ending.abort());
  const end = () => {
    ending.abort();
    return done;
  };
  return { seen, done, end };
}

it('W64: a stream that fails is opened again, with the reason, and one that ends is no loss', async () => {
  const ends: Respond = (response) =>
    response.writeHead(200).end(`event: later\ndata: {}\n\n${line(requestOf('b'))}`);
  const { seen, end } = await start({
    streams: [status(500), sends(requestOf('a'), { id: 'x' }), ends, sends(requestOf('c'))],
  });
  await expect.poll(() => seen.handled).toEqual(['a', 'b', 'c']);
  expect(seen.problems).toEqual(
    ['Concord answered 500', 'Concord sent a request that this version cannot read'].map(
      (reason) => `The connection to Concord was lost (${reason}). Connecting again.`,
    ),
  );
  expect(seen.opens).toEqual([true, false]);
  await end();
  expect([seen.created, seen.removed]).toEqual([1, ['whe_1']]);
});

it.each([{ headers: null }, { headers: [{ name: 'a', value: 1 }] }, { body: 1 }])(
  'W64: a request with %j is not read',
  async (wrong) => {
    const { seen, end } = await start({ streams: [sends({ ...requestOf('a'), ...wrong }), sends()] });
    await expect.poll(() => seen.opens).toEqual([true, false]);
    expect([seen.handled, seen.problems[0]]).toEqual([[], expect.stringContaining('cannot read')]);
    await end();
  },
);

it('W64: streams that end at once are a second apart, and losses further apart each time, until one succeeds', async () => {
  const ends: Respond = (response) => response.writeHead(200).end();
  const opens: Respond = (response) => response.writeHead(200).write(': ok\n\n', () => response.destroy());
  const lost = Array(3).fill(status(503));
  // `pause()` names what its timer calls `stop`.
  const timer = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timer.mockRestore());
  const { seen, end } = await start({ streams: [ends, ...lost, opens, sends(requestOf('a'))] });
  await expect.poll(() => seen.handled).toEqual(['a']);
  const pauses = timer.mock.calls.filter(([{ name }]) => name === 'stop').map(([, ms = 0]) => ms);
  const most = [1_000, 500, 1_000, 2_000, 500];
  expect(
    pauses.map((ms, index) => ms <= most[index]! && ms >= most[index]! * (index === 0 ? 1 : 0.75)),
  ).toEqual(most.map(() => true));
  await end();
});

it('W64: a listener that was deleted is created again', async () => {
  const { seen, end } = await start({ streams: [status(404), sends(requestOf('a'))], remove: status(404) });
  await expect.poll(() => seen.handled).toEqual(['a']);
  await end();
  expect([seen.created, seen.removed]).toEqual([2, ['whe_1', 'whe_2']]);
  expect(seen.problems).toEqual([
    'The listener was deleted. Events of the meantime are not sent to the next one.',
  ]);
});

it.each([401, 403])('W64: a token that gets %i ends the listener, which is deleted', async (code) => {
  const { seen, done } = await start({ streams: [status(code)] });
  await expect(done).rejects.toMatchObject({
    exit: 'denied',
    message: expect.stringContaining(String(code)),
  });
  expect(seen.removed).toEqual(['whe_1']);
});

it('W64: a listener that cannot be deleted is named', async () => {
  const { seen, end } = await start({ streams: [sends()], remove: status(500) });
  await expect.poll(() => seen.opens).toEqual([true]);
  await end();
  expect(seen.problems).toEqual([
    'The listener whe_1 was not deleted (No: 500.). Concord deletes it in five minutes.',
  ]);
});

it('W64: a request is handled once at a time, and again when Concord sends it after its answer', async () => {
  const gates: (() => void)[] = [];
  const handle = async (): Promise<Outcome> => {
    await new Promise<void>((open) => gates.push(open));
    return { error: 'refused', durationMs: 7 };
  };
  const again: Respond = (response) => {
    sends(requestOf('a'), requestOf('a'), requestOf('b'))(response);
    repeat = () => response.write(line(requestOf('a')));
  };
  let repeat = () => false;
  const { seen, end } = await start({ streams: [again], handle });
  await expect.poll(() => gates.length).toBe(2);
  gates[0]?.();
  await expect.poll(() => seen.answered).toEqual([{ id: 'a', error: 'refused', duration_ms: 7 }]);
  await expect.poll(() => repeat() && gates.length).toBe(3);
  for (const open of gates) open();
  await expect.poll(() => seen.handled).toEqual(['a', 'b', 'a']);
  await end();
});

it('W64: an answer that does not arrive is sent again, and one that is refused is a problem', async () => {
  for (const [answers, count, problems] of [
    [[cut, status(503), status(204)], 3, []],
    // The first one arrived.
    [[cut, status(404)], 2, []],
    [[status(404)], 1, ['stock.changed dlv_a: Concord no longer waits for this answer']],
    [[status(422)], 1, ['stock.changed dlv_a: No: 422.']],
  ] as const) {
    const { seen, end } = await start({ streams: [sends(requestOf('a'))], answers: [...answers] });
    await expect.poll(() => seen.answered).toHaveLength(count);
    await end();
    expect([seen.answered, seen.problems]).toEqual([
      Array(count).fill({ id: 'a', status: 200, body: '', duration_ms: 1 }),
      problems,
    ]);
  }
});

it.each(['before', 'after'])(
  'W64: at the end, an answer is sent once more (lost %s the end)',
  async (when) => {
    const answer: { lose?: () => void } = {};
    const lost: Respond = (response) => {
      answer.lose = () => cut(response);
      if (when === 'before') cut(response);
    };
    const { seen, end } = await start({ streams: [sends(requestOf('a'))], answers: [lost, cut] });
    await expect.poll(() => seen.answered).toHaveLength(1);
    const ended = end();
    answer.lose?.();
    await ended;
    expect(seen.answered).toHaveLength(2);
    expect(seen.problems).toEqual(['stock.changed dlv_a: Concord could not be reached']);
  },
);

it('W64: at the end, what is handled is answered, and the rest comes to the next command', async () => {
  const gates: ((outcome: Outcome) => void)[] = [];
  const handle = () => new Promise<Outcome>((resolve) => gates.push(resolve));
  const requests = Array.from({ length: 18 }, (_, index) => requestOf(`r${index}`));
  const { seen, end } = await start({ streams: [sends(...requests)], handle });
  await expect.poll(() => gates.length).toBe(16);
  const ended = end();
  for (const [index, settle] of gates.entries())
    settle({ durationMs: 1, ...(index === 0 ? { status: 200, body: '' } : { error: 'it was aborted' }) });
  await ended;
  expect([seen.handled, seen.answered, gates.length]).toEqual([
    ['r0'],
    [expect.objectContaining({ id: 'r0' })],
    16,
  ]);
  expect([seen.problems, seen.removed]).toEqual([[], ['whe_1']]);
});

it.each([
  [
    'a listener',
    { create: () => {} },
    'Concord did not answer in time. A listener that it has made is deleted in five minutes.',
  ],
  [
    'an answer',
    { streams: [sends(requestOf('a'))], answers: [() => {}] },
    'stock.changed dlv_a: Concord did not answer in time',
  ],
] as const)('O85: the end waits five seconds for a Concord that hangs at %s', async (_, options, problem) => {
  const { seen, end } = await start(options as Options);
  await expect.poll(() => seen.created + seen.answered.length).toBe('create' in options ? 1 : 2);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ended = end();
  await vi.advanceTimersByTimeAsync(5_000);
  await ended;
  expect(seen.problems).toEqual([problem]);
});
