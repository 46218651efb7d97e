// Statistics with all their steps. The answer leaves out steps without an attempt.
import type { EndpointStats, Stats } from '@concord/client';

type AnyStats = Pick<EndpointStats, 'from' | 'to' | 'step' | 'steps'>;
type Step = Stats['steps'][number];

const stepMs: Readonly<Record<Stats['step'], number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '6h': 21_600_000,
  '1d': 86_400_000,
};

export function fillSteps({ from, to, step, steps }: AnyStats): Step[] {
  const known = new Map(steps.map((one) => [Date.parse(one.at), one]));
  const filled: Step[] = [];
  for (let at = Date.parse(from); at < Date.parse(to); at += stepMs[step]) {
    filled.push(
      known.get(at) ?? { at: new Date(at).toISOString(), attempts: 0, delivered: 0, failed: [], p50_ms: null, p95_ms: null },
    );
  }
  return filled;
}
