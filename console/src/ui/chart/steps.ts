// Statistics over time as the series of a chart. The API leaves out empty steps.
import type { Stats } from '@concord/client';
import type { Series } from './plot.tsx';

type Step = Stats['steps'][number];
const minuteMs = 60_000;
const widthsMs: Readonly<Record<Stats['step'], number>> = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '1h': 60 * minuteMs,
  '6h': 360 * minuteMs,
  '1d': 1_440 * minuteMs,
};

/**
 * The query of a period that ends now. It begins with a whole step, so that it stays the same within one and is
 * not read twice.
 */
export function queryOf({ lengthMs, step }: { lengthMs: number; step: Stats['step'] }) {
  const stepMs = widthsMs[step];
  const from = Math.floor((Date.now() - lengthMs) / stepMs) * stepMs + stepMs;
  return { from: new Date(from).toISOString(), step };
}

type Period<Step> = Pick<Stats, 'from' | 'to' | 'step'> & { readonly steps: readonly Step[] };

/** Every step of the period. */
export function fillSteps<Step extends { readonly at: string }>(
  { from, to, step, steps }: Period<Step>,
  nothing: Omit<Step, 'at'>,
) {
  const known = new Map(steps.map((each) => [Date.parse(each.at), each]));
  const all: (Step | (Omit<Step, 'at'> & { readonly at: string }))[] = [];
  for (let at = Date.parse(from); at < Date.parse(to); at += widthsMs[step])
    all.push(known.get(at) ?? { ...nothing, at: new Date(at).toISOString() });
  return all;
}

const nothing = { attempts: 0, delivered: 0, failed: [], p50_ms: null, p95_ms: null, filtered: 0 };

export const fillStats = (stats: Period<Step>): Step[] => fillSteps(stats, nothing);

/** How long half of the answers took, and 95%. */
export const latenciesOf = (steps: readonly Step[]): Series[] => [
  { name: 'Median', tone: 'accent', values: steps.map(({ p50_ms }) => p50_ms) },
  { name: '95th percentile', tone: 'info', values: steps.map(({ p95_ms }) => p95_ms) },
];
