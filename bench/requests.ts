// A load of some seconds over 64 connections.
import type { Row } from './case.ts';
import type { Loaded } from './load.ts';
import type { Stage } from './stage.ts';
import { costOf, type Use } from './usage.ts';

export const connections = 64;

/** Milliseconds that a load lasts. */
export const durationOf = (quick: boolean): number => (quick ? 500 : 5_000);

type Target = Pick<Stage, 'quick' | 'load' | 'observe'> & { name: string; requests: readonly string[] };

/** Sends these requests in turns, first without measuring. */
export async function measureRequests({ name, quick, requests, load, observe }: Target): Promise<Row[]> {
  const send = () => load({ requests, connections, durationMs: durationOf(quick) });
  await send();
  return reportRequests(name, await observe(send));
}

export function reportRequests(name: string, { result, use }: { result: Loaded; use: Use }): Row[] {
  const perSecond = (result.requests * 1_000) / (result.endedAt - result.startedAt);
  return [
    { name, value: perSecond, unit: 'requests/s', cost: costOf(use, 'request', result.requests) },
    { name: `${name} p95`, value: result.p95, unit: 'ms' },
  ];
}
