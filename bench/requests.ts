// What the cases about single requests share: a load of some seconds over 64 connections.
import type { Api } from './api.ts';
import type { Measured } from './case.ts';
import { bodyRequest, type Load, type Loaded } from './load.ts';
import type { Stage } from './stage.ts';
import { costOf, type Use } from './usage.ts';
import { connections } from './webhooks.ts';

type Observed = { result: Loaded; use: Use };
type Target = {
  name: string;
  quick: boolean;
  requests: readonly string[];
  load(load: Omit<Load, 'url'>): Promise<Loaded>;
  observe(work: () => Promise<Loaded>): Promise<Observed>;
};

/** Milliseconds that a load lasts. */
export const durationOf = (quick: boolean): number => (quick ? 500 : 5_000);

/** Sends these requests in turns, first without measuring. */
export async function measureRequests({ name, quick, requests, load, observe }: Target): Promise<Measured> {
  const send = () => load({ requests, connections, durationMs: durationOf(quick) });
  await send();
  return reportRequests(name, await observe(send));
}

/** Requests a second, and the 95th percentile of their latencies. */
export function reportRequests(name: string, { result, use }: Observed): Measured {
  const perSecond = (result.requests * 1_000) / (result.endedAt - result.startedAt);
  return [
    { name, value: perSecond, unit: 'requests/s', cost: costOf(use, 'request', result.requests) },
    { name: `${name} p95`, value: result.p95, unit: 'ms' },
  ];
}

/** The ids of new partners, one for each connection: changes of one partner run one at a time. */
export async function createAcmes(api: Api): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < connections; n++) ids.push((await api.post('/partners', { name: 'Acme' })).id ?? '');
  return ids;
}

/** Invites people to 64 partners. */
export async function measureInvitations(name: string, stage: Stage, quick: boolean): Promise<Measured> {
  const { api, load, observe } = stage;
  const requests = (await createAcmes(api)).map((id) =>
    bodyRequest('POST', `/partners/${id}/agreements`, api.token, {
      email: `{number}.${id.slice(-4)}@bench.example`,
    }),
  );
  return measureRequests({ name, quick, requests, load, observe });
}
