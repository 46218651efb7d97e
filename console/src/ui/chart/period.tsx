// The period that charts show. It is in the URL, so that a link can be shared.
import type { Stats } from '@concord/client';
import { useSearch } from '@tanstack/react-router';
import { Tab, Tabs } from '../layout/tabs.tsx';
import { queryOf } from './steps.ts';

const hourMs = 3_600_000;
const periods = {
  hour: { label: 'Last hour', lengthMs: hourMs, step: '1m' },
  day: { label: '24 hours', lengthMs: 24 * hourMs, step: '1h' },
  week: { label: '7 days', lengthMs: 168 * hourMs, step: '6h' },
  month: { label: '30 days', lengthMs: 720 * hourMs, step: '1d' },
  quarter: { label: '90 days', lengthMs: 2_160 * hourMs, step: '1d' },
} as const satisfies Record<string, { label: string; lengthMs: number; step: Stats['step'] }>;
type Name = keyof typeof periods;

/** The query of statistics. */
export const usePeriod = () => queryOf(periods[useName()]);

function useName(): Name {
  const { period } = useSearch({ strict: false });
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
          search={{ period: name === 'day' ? undefined : name }}
          activeOptions={{ exact: true }}
          aria-current={name === current ? 'page' : undefined}
          replace
          resetScroll={false}
        >
          {periods[name].label}
        </Tab>
      ))}
    </Tabs>
  );
}
