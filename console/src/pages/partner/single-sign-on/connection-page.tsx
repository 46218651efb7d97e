// One connection: its set-up in steps, and what may be changed of it.
import { deleteConnection, getConnection, type IdentityConnection, listDomains } from '@concord/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { usePartner, usePath } from '#app/address.ts';
import { Button } from '#ui/button/button.tsx';
import { Confirm } from '#ui/dialog/confirm.tsx';
import { DialogButton } from '#ui/dialog/dialog-button.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Page, Row } from '#ui/layout/page.tsx';
import { Fact, Facts, Id, Status, Time } from '#ui/text/text.tsx';
import { OwnersOnly } from '../owners-only.tsx';
import { History } from '../people/history.tsx';
import { AtProvider } from './at-provider.tsx';
import { ChangeConnection } from './change-connection.tsx';
import { Domains } from './domains.tsx';
import { authentications, connectionProblems, stateOf } from './messages.ts';
import { NewMembers } from './new-members.tsx';
import { Provisioning } from './provisioning.tsx';
import { TestAndSwitch } from './test-and-switch.tsx';

export function ConnectionPage() {
  const { connection } = usePath();
  return (
    <OwnersOnly title="Connection" what="Single sign-on">
      <Found connection={connection} />
    </OwnersOnly>
  );
}

function Found({ connection }: { connection: string }) {
  const partner = usePartner();
  const query = useRead(getConnection, { path: { id: partner, connection_id: connection } });
  return (
    <Loaded query={query} lines={8} frame={(shown) => <Page title="Connection">{shown}</Page>}>
      {(answer) => <Connection answer={answer} />}
    </Loaded>
  );
}

type Props = { answer: Answer<IdentityConnection> };

function Connection({ answer }: Props) {
  const partner = usePartner();
  // What is edited stays as it was opened, also when somebody else saves meanwhile.
  const [opened, setOpened] = useState<Answer<IdentityConnection> | null>(null);
  const { id, name, issuer, client_id, authentication, tested_at } = answer.data;
  const domains = useRead(listDomains, {
    path: { id: partner, connection_id: id },
    query: { page_size: 20, sort_by: 'created_at' },
  });
  const hasDomain = domains.data?.data.some(({ status }) => status !== 'pending') ?? false;
  return (
    <Page
      title={name}
      above={
        <Link to="/p/$partner/single-sign-on" params={{ partner }}>
          Single sign-on
        </Link>
      }
      beside={<Status {...stateOf(answer.data)} />}
      action={
        <Row>
          <Button onClick={() => setOpened(answer)}>Change</Button>
          <DialogButton
            look="plain"
            dialog={(onClose) => <DeleteConnection answer={answer} onClose={onClose} />}
          >
            Delete
          </DialogButton>
        </Row>
      }
    >
      <Facts>
        <Fact name="Issuer">
          <code>{issuer}</code>
        </Fact>
        <Fact name="Client id">
          <code>{client_id}</code>
        </Fact>
        <Fact name="Authentication">{authentications[authentication]}</Fact>
        <Fact name="Tested">
          <Time at={tested_at} none="Not with these settings" />
        </Fact>
        <Fact name="Id">
          <Id id={id} />
        </Fact>
      </Facts>
      <AtProvider connection={answer.data} />
      <Domains connection={answer.data} query={domains} />
      {/* Below what has another height before it is read. */}
      {!domains.isPending && (
        <>
          <TestAndSwitch connection={answer.data} hasDomain={hasDomain} />
          <NewMembers answer={answer} />
          <Provisioning connection={answer.data} />
          <History target={id} />
        </>
      )}
      {opened && <ChangeConnection opened={opened} onClose={() => setOpened(null)} />}
    </Page>
  );
}

function DeleteConnection({ answer, onClose }: Props & { onClose: () => void }) {
  const partner = usePartner();
  const navigate = useNavigate();
  const { id, name } = answer.data;
  return (
    <Confirm
      title={`Delete ${name}?`}
      confirm={`Delete ${name}`}
      explain={connectionProblems}
      onClose={onClose}
      onConfirm={async () => {
        await write(
          deleteConnection,
          { path: { id: partner, connection_id: id } },
          {
            done: `${name} is deleted.`,
            leave: () => navigate({ to: '/p/$partner/single-sign-on', params: { partner } }),
          },
        );
      }}
    >
      <p>
        Its domains and its links to accounts go too. Nobody signs in with it any more: people use their
        password, or set one with "Forgotten password". The agreements that it made stay.
      </p>
    </Confirm>
  );
}
