// Agreements that end within a month, the soonest first.
import { listPartnerAgreements } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../../api/read.ts';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { Faint, Time } from '../../../ui/text/text.tsx';
import { describeAccess, nameOf } from '../people/agreement.ts';

const soonMs = 30 * 86_400_000;
const shown = 20;

export function EndingAgreements({ partner }: { partner: string }) {
  const query = useRead(listPartnerAgreements, {
    path: { id: partner },
    query: { page_size: shown, sort_by: 'expires_at', 'filter[state]': 'active' },
  });
  return (
    <Section title="Agreements that end within 30 days">
      <Loaded query={query} lines={2}>
        {({ data }) => {
          const ending = data.filter(
            ({ expires_at }) => expires_at !== null && Date.parse(expires_at) < Date.now() + soonMs,
          );
          if (ending.length === 0) return <Faint>None.</Faint>;
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
