// What the cases about single requests share: a load of some seconds over 64 connections.
import type { Row } from './case.ts';
import type { Load, Loaded } from './load.ts';
import { costOf, type Use } from './usage.ts';
import { connections } from './webhooks.ts';

type Rate = {
  name: string;
  quick: boolean;
  requests: readonly string[];
  load(load: Omit<Load, 'url'>): Promise<Loaded>;
  observe(work: () => Promise<Loaded>): Promise<{ result: Loaded; use: Use }>;
};

/** Requests a second, and the 95th percentile of their latencies. A part of the load goes first. */
export async function measureRequests({ name, quick, requests, load, observe }: Rate): Promise<Row[]> {
  const durationMs = quick ? 1_000 : 5_000;
  await load({ requests, connections, durationMs: durationMs / 2 });
  const { result, use } = await observe(() => load({ requests, connections, durationMs }));
  const perSecond = (result.requests * 1_000) / (result.endedAt - result.startedAt);
  return [
    { name, value: perSecond, unit: 'requests/s', cost: costOf(use, 'request', result.requests) },
    { name: `${name} p95`, value: result.p95, unit: 'ms' },
  ];
}
