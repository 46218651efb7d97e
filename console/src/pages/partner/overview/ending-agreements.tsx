// Agreements that end within a month.
import { listPartnerAgreements } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../../api/read.ts';
import { formatNumber } from '../../../format/numbers.ts';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { Faint, Time } from '../../../ui/text/text.tsx';
import { describeAccess, nameOf } from '../people/agreement.ts';

const soonMs = 30 * 86_400_000;
/** The API cannot sort by the end, so this looks through so many. */
const looked = 500;

export function EndingAgreements({ partner }: { partner: string }) {
  const query = useRead(listPartnerAgreements, {
    path: { id: partner },
    query: { page_size: looked, 'filter[state]': 'active' },
  });
  const isPart = query.data?.next != null;
  return (
    <Section
      title="Agreements that end within 30 days"
      about={isPart ? `Among the oldest ${formatNumber(looked)} members. There can be more.` : undefined}
    >
      <Loaded query={query} lines={2}>
        {({ data }) => {
          const ending = data
            .flatMap((agreement) =>
              agreement.expires_at === null ? [] : [{ agreement, end: Date.parse(agreement.expires_at) }],
            )
            .filter(({ end }) => end < Date.now() + soonMs)
            .toSorted((one, other) => one.end - other.end)
            .map(({ agreement }) => agreement);
          if (ending.length === 0) return <Faint>{isPart ? 'None among these.' : 'None.'}</Faint>;
          return (
            <Table
              label="Agreements that end within 30 days"
              rows={ending}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: 'Person',
                  cell: (agreement) => (
                    <Link to="/p/$partner/people/$agreement" params={{ partner, agreement: agreement.id }}>
                      {nameOf(agreement)}
                    </Link>
                  ),
                },
                { name: 'Access', cell: describeAccess, isSecondary: true },
                { name: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} /> },
              ]}
            />
          );
        }}
      </Loaded>
    </Section>
  );
}
