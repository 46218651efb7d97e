// The warning that many attempts of the last hour failed.
import type { Stats } from '@concord/client';
import { formatNumber } from '#format/numbers.ts';
import { Banner } from '#ui/feedback/feedback.tsx';

const stepMs = 300_000;
/** The query of the last hour. It stays the same within a step, so that it is not read twice. */
export const lastHour = (): { from: string; step: Stats['step'] } => ({
  from: new Date(Math.floor((Date.now() - 3_600_000) / stepMs) * stepMs).toISOString(),
  step: '5m',
});

/** A few failures are ordinary: Concord tries again. */
const leastAttempts = 10;
const leastShare = 0.2;

export function ManyFailures({ stats }: { stats: Stats | undefined }) {
  if (stats === undefined) return null;
  const failed = stats.attempts - stats.delivered;
  if (stats.attempts < leastAttempts || failed / stats.attempts < leastShare) return null;
  return (
    <Banner
      tone="warning"
      title={`${formatNumber(failed)} of ${formatNumber(stats.attempts)} attempts of the last hour failed`}
    />
  );
}
