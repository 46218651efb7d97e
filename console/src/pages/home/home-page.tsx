// The first page of signed-in people: their invitations and their partners.
import { listOwnAgreements, type MyAgreement } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/read.ts';
import { useMe } from '../../app/session.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { Page, Section } from '../../ui/layout/page.tsx';
import { Table } from '../../ui/table/table.tsx';
import { Status, Time } from '../../ui/text/text.tsx';

export function HomePage() {
  const me = useMe();
  const agreements = useRead(listOwnAgreements, {});
  return (
    <Page title={`Hello, ${me.name}`} about="Your partners, and the invitations that wait for your answer.">
      <Loaded query={agreements}>
        {({ data }) => (
          <>
            <Section title="Partners">
              <Agreements agreements={data.filter(({ accepted }) => accepted)} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Agreements({ agreements }: { agreements: readonly MyAgreement[] }) {
  if (agreements.length === 0) return <Empty>You have access to no partner yet. Somebody of the partner can invite you.</Empty>;
  return (
    <Table
      label="Partners"
      rows={agreements}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Partner',
          cell: ({ partner }) => (
            <Link to="/p/$partner" params={{ partner: partner.id }}>
              {partner.name}
            </Link>
          ),
        },
        { name: 'You are', cell: ({ owner }) => <Status tone={owner ? 'good' : 'neutral'}>{owner ? 'Owner' : 'Member'}</Status> },
        { name: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} none="Never" />, isSecondary: true },
      ]}
    />
  );
}
