// The agreements that use a group.
import type { AclPermissionGroup } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { usePartner } from '#app/address.ts';
import { formatNumber } from '#format/numbers.ts';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { Section } from '#ui/layout/page.tsx';
import { Table } from '#ui/table/table.tsx';
import { Faint, Status } from '#ui/text/text.tsx';
import { agreementStates } from '../messages.ts';
import { maxAgreements, useCarriers } from './use-carriers.ts';

const shown = 50;

export function Carriers({ group }: { group: AclPermissionGroup }) {
  const partner = usePartner();
  const query = useCarriers(group);
  if (query === null) return null;
  const total = query.data?.total;
  return (
    <Section
      title="Used by"
      about={
        total === null
          ? `Among the newest ${formatNumber(maxAgreements)} agreements. There can be more.`
          : total !== undefined && total > shown
            ? `${formatNumber(shown)} of ${formatNumber(total)} agreements.`
            : undefined
      }
    >
      <Loaded query={query}>
        {({ agreements }) =>
          agreements.length === 0 ? (
            <Faint>No agreement uses this group.</Faint>
          ) : (
            <Table
              label="Used by"
              rows={agreements
                .slice(0, shown)
                .map((agreement, index) => ({ ...agreement, key: agreement.agreement_id ?? `${index}` }))}
              keyOf={({ key }) => key}
              columns={[
                {
                  name: 'Person',
                  cell: ({ agreement_id, name, email }) =>
                    agreement_id === null ? (
                      <Faint>Hidden from you</Faint>
                    ) : (
                      <Link to="/p/$partner/people/$agreement" params={{ partner, agreement: agreement_id }}>
                        {name ?? email}
                      </Link>
                    ),
                },
                { name: 'State', cell: ({ state }) => <Status {...agreementStates[state]} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
