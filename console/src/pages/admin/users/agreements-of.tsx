// The partners that a user has access to, or is invited to.
import { search, type User } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../../api/read.ts';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { Faint, Id } from '../../../ui/text/text.tsx';

export function AgreementsOf({ user: { email } }: { user: User }) {
  const results = useRead(search, { query: { q: email } });
  return (
    <Section
      title="Agreements"
      about="Agreements with this address: active ones, and invitations. At most 20."
    >
      <Loaded query={results} lines={2}>
        {({ data }) => {
          const own = data.filter(
            ({ kind, label }) => kind === 'agreement' && label.toLowerCase() === email.toLowerCase(),
          );
          if (own.length === 0) return <Faint>No partner has an agreement with this address.</Faint>;
          return (
            <Table
              label="Agreements"
              rows={own}
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
          );
        }}
      </Loaded>
    </Section>
  );
}
