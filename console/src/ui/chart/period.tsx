// The period that charts show. It is in the URL, so that a link can be shared.
import type { Stats } from '@concord/client';
import { useSearch } from '@tanstack/react-router';
import { Tab, Tabs } from '../layout/tabs.tsx';

const hourMs = 3_600_000;
const periods = {
  hour: { label: 'Last hour', lengthMs: hourMs, step: '1m', stepMs: 60_000 },
  day: { label: '24 hours', lengthMs: 24 * hourMs, step: '1h', stepMs: hourMs },
  week: { label: '7 days', lengthMs: 168 * hourMs, step: '6h', stepMs: 6 * hourMs },
  month: { label: '30 days', lengthMs: 720 * hourMs, step: '1d', stepMs: 24 * hourMs },
} as const satisfies Record<string, { label: string; lengthMs: number; step: Stats['step']; stepMs: number }>;
type Name = keyof typeof periods;

/** The query of the statistics. It stays the same within a step, so that they are not read twice. */
export function usePeriod(): { query: { from: string; step: Stats['step'] }; label: string } {
  const { label, lengthMs, step, stepMs } = periods[useName()];
  const from = Math.floor((Date.now() - lengthMs) / stepMs) * stepMs + stepMs;
  return { query: { from: new Date(from).toISOString(), step }, label };
}

function useName(): Name {
  const { period } = useSearch({ strict: false }) as { period?: string };
  return period !== undefined && Object.hasOwn(periods, period) ? (period as Name) : 'day';
}

export function PeriodTabs() {
  const current = useName();
  return (
    <Tabs label="Period">
      {(Object.keys(periods) as Name[]).map((name) => (
        <Tab
          key={name}
          to="."
          search={{ period: name === 'day' ? undefined : name } as never}
          activeOptions={{ exact: true }}
          aria-current={name === current ? 'page' : undefined}
          replace
        >
          {periods[name].label}
        </Tab>
      ))}
    </Tabs>
  );
}
