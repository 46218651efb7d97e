// The partners that a user has access to, or is invited to.
import { search, type User } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { Section } from '#ui/layout/page.tsx';
import { LoadedTable } from '#ui/table/loaded-table.tsx';
import { Faint, Id } from '#ui/text/text.tsx';

export function AgreementsOf({ user: { email } }: { user: User }) {
  const results = useRead(search, { query: { q: email } });
  return (
    <Section
      title="Agreements"
      about="Agreements with this address: active ones, and invitations. At most 20."
    >
      <LoadedTable
        query={results}
        lines={2}
        empty={<Faint>No partner has an agreement with this address.</Faint>}
        rows={(data) =>
          data.filter(
            ({ kind, label }) => kind === 'agreement' && label.toLowerCase() === email.toLowerCase(),
          )
        }
        label="Agreements"
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Partner',
            cell: ({ partner_id, partner_name }) => (
              <Link to="/p/$partner" params={{ partner: partner_id ?? '' }}>
                {partner_name}
              </Link>
            ),
          },
          {
            name: 'Agreement',
            cell: ({ id, partner_id, partner_name }) => (
              <Link
                to="/p/$partner/people/$agreement"
                params={{ partner: partner_id ?? '', agreement: id }}
                aria-label={`Access to ${partner_name ?? ''}`}
              >
                Access
              </Link>
            ),
          },
          { name: 'Id', cell: ({ id }) => <Id id={id} />, isSecondary: true },
        ]}
      />
    </Section>
  );
}
