// The first page of signed-in people: the invitations that wait for their answer, and their partners.
import {
  deletePartnerAgreement,
  listOwnAgreements,
  type MyAgreement,
  updatePartnerAgreement,
} from '@concord/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { useRun } from '#api/run.ts';
import { write } from '#api/write.ts';
import { needsFactor, proveFactor } from '#app/second-factor/ways.ts';
import { useMe } from '#app/session.ts';
import { toCommand } from '#format/command.ts';
import { describeTerms } from '#messages/terms.ts';
import { Button, PageButton } from '#ui/button.tsx';
import { ConfirmButton } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Loaded, Problem } from '#ui/feedback/feedback.tsx';
import { Page, Row, Section } from '#ui/layout/page.tsx';
import { Table } from '#ui/table/table.tsx';
import { Status, Time } from '#ui/text/text.tsx';
import css from './home.module.css';

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

const acceptProblems = {
  already_member:
    'You already have access to this partner with another address, so the invitation has been removed.',
  invitation_expired: 'The invitation has expired. Ask for a new one.',
  mfa_required:
    'The partner asks for a second factor. Set one up, or sign in again with a code, then accept.',
  email_not_verified:
    'Your address is not confirmed yet. Set a new password: the link in the mail confirms the address.',
  not_found: 'The invitation does not exist any more.',
};

function Invitations({ agreements }: { agreements: readonly MyAgreement[] }) {
  if (agreements.length === 0) return null;
  return (
    <Section title="Invitations" about="Nobody has access through an invitation before you accept it.">
      <ul className={css.invitations}>
        {agreements.map((agreement) => (
          <Invitation key={agreement.id} agreement={agreement} />
        ))}
      </ul>
    </Section>
  );
}

function Invitation({ agreement }: { agreement: MyAgreement }) {
  const me = useMe();
  const navigate = useNavigate();
  const { isBusy, failure, run } = useRun();
  const { id, partner } = agreement;
  const path = { id: partner.id, agreement_id: id };
  const lacksFactor = needsFactor(agreement, me);

  async function accept() {
    if (!(await proveFactor(agreement, me))) return;
    await write(updatePartnerAgreement, { path, body: { accepted: true } });
    await navigate({ to: '/p/$partner', params: { partner: partner.id } });
  }

  return (
    <li className={css.invitation}>
      <div>
        <h3>{partner.name}</h3>
        <p className={css.terms}>{describeTerms(agreement).join('. ')}</p>
        {lacksFactor && (
          <p className={css.terms}>
            It needs a second factor. <Link to="/account/sign-in">Set one up first</Link>
          </p>
        )}
        {failure && <Problem error={failure} explain={acceptProblems} />}
      </div>
      <Row>
        {!lacksFactor && (
          <Button
            look="primary"
            isBusy={isBusy}
            aria-label={`Accept the invitation to ${partner.name}`}
            onClick={() => void run(accept)}
          >
            Accept
          </Button>
        )}
        <ConfirmButton
          button="Decline"
          aria-label={`Decline the invitation to ${partner.name}`}
          title={`Decline the invitation to ${partner.name}?`}
          confirm="Decline the invitation"
          onConfirm={() => write(deletePartnerAgreement, { path }, { done: 'You declined the invitation.' })}
        >
          The invitation is deleted. To join later you need a new one.
        </ConfirmButton>
      </Row>
    </li>
  );
}
