// What is counted while deliveries are sent and recorded.
import { expect, it } from 'vitest';
import { createInFlight } from './in-flight.ts';

const of = (id: string, endpointId = 'endpoint', deliveryIds = [id]) => ({ id, deliveryIds, endpointId });

it('W17: a request takes a connection until it is sent, and a place until its result is recorded', () => {
  const inFlight = createInFlight();
  const counts = () => [inFlight.size(), inFlight.sending(), inFlight.sendingToFailing()];
  const healthy = inFlight.begin(of('first'), false);
  const failing = inFlight.begin(of('second', 'other'), true);
  expect([counts(), inFlight.ids()]).toEqual([
    [2, 2, 1],
    ['first', 'second'],
  ]);
  healthy.sent();
  expect(counts()).toEqual([2, 1, 1]);
  failing.sent();
  expect(counts()).toEqual([2, 0, 0]);
  healthy.recorded();
  expect([counts(), inFlight.ids()]).toEqual([[1, 0, 0], ['second']]);
  failing.recorded();
  expect([counts(), inFlight.ids()]).toEqual([[0, 0, 0], []]);
});

it('W70: a batch is one request', () => {
  const inFlight = createInFlight();
  const batch = inFlight.begin(of('batch', 'endpoint', ['first', 'second']), false);
  expect([inFlight.size(), inFlight.sending(), inFlight.ids()]).toEqual([1, 1, ['batch']]);
  batch.sent();
  batch.recorded();
  expect([inFlight.size(), inFlight.ids()]).toEqual([0, []]);
});

it('W18: an endpoint is in flight until its last result is recorded', () => {
  const inFlight = createInFlight();
  const requests = ['first', 'second'].map((id) => inFlight.begin(of(id), false));
  const seen = requests.map((request) => {
    request.sent();
    request.recorded();
    return inFlight.includes('endpoint');
  });
  expect([seen, inFlight.includes('other')]).toEqual([[true, false], false]);
});

it('W18: a stop waits until every result is recorded', async () => {
  const inFlight = createInFlight();
  await inFlight.empty();
  const requests = ['first', 'second'].map((id) => inFlight.begin(of(id), false));
  const empty = inFlight.empty();
  const now = () => Promise.race([empty.then(() => 'empty'), Promise.resolve().then(() => 'in flight')]);
  for (const request of requests) {
    expect(await now()).toBe('in flight');
    request.sent();
    expect(await now()).toBe('in flight');
    request.recorded();
  }
  expect(await now()).toBe('empty');
});

it('W14: each work that is under way learns what begins meanwhile, and nothing else', async () => {
  const inFlight = createInFlight();
  inFlight.begin(of('before'), false);
  const { promise, resolve } = Promise.withResolvers<void>();
  const outer = inFlight.during(async (begun) => {
    inFlight.begin(of('first'), false);
    const inner = await inFlight.during(async (begun) => {
      inFlight.begin(of('batch', 'endpoint', ['second']), false);
      return [...begun];
    });
    await promise;
    return [inner, [...begun]];
  });
  const failed = inFlight.during(async () => Promise.reject(new Error('no'))).catch((error) => error.message);
  inFlight.begin(of('third'), false);
  resolve();
  expect([await failed, await outer]).toEqual([
    'no',
    [
      ['batch', 'second'],
      ['first', 'batch', 'second', 'third'],
    ],
  ]);
});
