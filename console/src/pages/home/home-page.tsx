// The first page of signed-in people: the invitations that wait for their answer, and their partners.
import { listOwnAgreements, type MyAgreement } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { useMe } from '#app/session.ts';
import { toCommand } from '#format/command.ts';
import { PageButton } from '#ui/button/button.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Page, Section } from '#ui/layout/page.tsx';
import { Table } from '#ui/table/table.tsx';
import { Status, Time } from '#ui/text/text.tsx';
import { Invitations } from './invitations.tsx';

export function HomePage() {
  const me = useMe();
  const agreements = useRead(listOwnAgreements, {});
  return (
    <Page title={`Hello, ${me.name}`} about="Your partners, and the invitations that wait for your answer.">
      <Loaded query={agreements}>
        {({ data }) => (
          <>
            <Invitations agreements={data.filter(({ accepted }) => !accepted)} />
            <Section title="Partners">
              <Partners
                agreements={data.filter(({ accepted }) => accepted)}
                isOperator={me.role === 'operator'}
              />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Partners({ agreements, isOperator }: { agreements: readonly MyAgreement[]; isOperator: boolean }) {
  if (agreements.length === 0) return isOperator ? <ForOperators /> : <ForStrangers />;
  return (
    <Table
      label="Partners"
      rows={agreements}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Partner',
          cell: ({ partner, expires_at }) =>
            hasEnded(expires_at) ? (
              partner.name
            ) : (
              <Link to="/p/$partner" params={{ partner: partner.id }}>
                {partner.name}
              </Link>
            ),
        },
        {
          name: 'You are',
          cell: ({ owner, expires_at }) =>
            hasEnded(expires_at) ? (
              <Status tone="warning">{owner ? 'Owner until it ended' : 'Member until it ended'}</Status>
            ) : (
              <Status tone={owner ? 'good' : 'neutral'}>{owner ? 'Owner' : 'Member'}</Status>
            ),
        },
        { name: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} none="Never" /> },
      ]}
    />
  );
}

const hasEnded = (time: string | null): boolean => time !== null && Date.parse(time) <= Date.now();

const ForOperators = () => (
  <Empty
    action={
      <PageButton to="/admin/partners" look="primary">
        See all partners
      </PageButton>
    }
    command={toCommand({ method: 'GET', path: '/partners' })}
  >
    You are an operator: you may do everything with every partner, and belong to none yourself.
  </Empty>
);

const ForStrangers = () => (
  <Empty
    action={<PageButton to="/account">See your account</PageButton>}
    command={toCommand({ method: 'GET', path: '/me/agreements' })}
  >
    You have access to no partner yet. Somebody who works with a partner can invite you, with the address of
    your account.
  </Empty>
);
