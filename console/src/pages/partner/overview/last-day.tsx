// The deliveries of the last 24 hours: in numbers, and over time.
import { getPartnerStats, type Stats } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { formatMs, formatNumber, formatShare } from '#format/numbers.ts';
import { formatAge } from '#format/time.ts';
import { Chart } from '#ui/chart/chart.tsx';
import { latenciesOf, outcomesOf } from '#ui/chart/steps.ts';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Columns, Section, Stack, Tile, Tiles } from '#ui/layout/page.tsx';

export function LastDay() {
  const partner = usePartner();
  const query = useRead(getPartnerStats, { path: { id: partner } }, { live: true });
  const toDeliveries = (search: Record<string, string>, label: string) => (
    <Link to="/p/$partner/webhooks/deliveries" params={{ partner }} search={search as never}>
      {label}
    </Link>
  );
  return (
    <Section title="Last 24 hours">
      <Loaded query={query} lines={10}>
        {({ data }) => {
          const { attempts, delivered, pending, oldest_pending_age_seconds: age } = data;
          return (
            <Stack>
              <Tiles>
                <Tile
                  name="Attempts that delivered"
                  about={
                    attempts === 0
                      ? 'Nothing was sent.'
                      : `${formatShare(delivered, attempts)} of all attempts`
                  }
                >
                  {formatNumber(delivered)}
                </Tile>
                <Tile
                  name="Attempts that failed"
                  about={toDeliveries({ attempt_outcome: 'failed' }, 'Deliveries with a failed attempt')}
                >
                  {formatNumber(attempts - delivered)}
                </Tile>
                <Tile
                  name="Deliveries pending"
                  about={
                    age === null
                      ? 'Nothing waits.'
                      : toDeliveries(
                          { status: 'pending' },
                          `The oldest: ${formatAge(new Date(Date.now() - age * 1_000))}`,
                        )
                  }
                >
                  {formatNumber(pending)}
                </Tile>
              </Tiles>
              {attempts > 0 && <Charts stats={data} />}
            </Stack>
          );
        }}
      </Loaded>
    </Section>
  );
}

function Charts({ stats }: { stats: Stats }) {
  const outcomes = useMemo(() => outcomesOf(stats), [stats]);
  const latencies = useMemo(() => latenciesOf(stats), [stats]);
  return (
    <Columns>
      <Chart label="Attempts" {...outcomes} format={formatNumber} isStacked />
      <Chart label="Answer time" {...latencies} format={formatMs} />
    </Columns>
  );
}
