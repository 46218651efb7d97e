// Agreements that end within a month, the soonest first.
import { listPartnerAgreements } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { Section } from '#ui/layout/page.tsx';
import { LoadedTable } from '#ui/table/loaded-table.tsx';
import { Faint, Time } from '#ui/text/text.tsx';
import { describeAccess, nameOf } from '../people/agreement.ts';

const soonMs = 30 * 86_400_000;
const shown = 20;

export function EndingAgreements() {
  const partner = usePartner();
  const query = useRead(listPartnerAgreements, {
    path: { id: partner },
    query: { page_size: shown, sort_by: 'expires_at', 'filter[state]': 'active' },
  });
  return (
    <Section title="Agreements that end within 30 days">
      <LoadedTable
        query={query}
        lines={2}
        empty={<Faint>None.</Faint>}
        rows={(data) =>
          data.filter(({ expires_at }) => expires_at !== null && Date.parse(expires_at) < Date.now() + soonMs)
        }
        label="Agreements that end within 30 days"
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
    </Section>
  );
}
