// One connection: its set-up in steps, and what may be changed of it.
import { deleteConnection, getConnection, type IdentityConnection, listDomains } from '@concord/client';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
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
  const { partner, connection } = useParams({ strict: false }) as { partner: string; connection: string };
  return (
    <OwnersOnly partner={partner} title="Connection" what="Single sign-on">
      <Found partner={partner} connection={connection} />
    </OwnersOnly>
  );
}

function Found({ partner, connection }: { partner: string; connection: string }) {
  const query = useRead(getConnection, { path: { id: partner, connection_id: connection } });
  return (
    <Loaded query={query} lines={8} frame={(shown) => <Page title="Connection">{shown}</Page>}>
      {(answer) => <Connection partner={partner} answer={answer} />}
    </Loaded>
  );
}

type Props = { partner: string; answer: Answer<IdentityConnection> };

function Connection({ partner, answer }: Props) {
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
            dialog={(onClose) => <DeleteConnection partner={partner} answer={answer} onClose={onClose} />}
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
      <Domains partner={partner} connection={answer.data} query={domains} />
      {/* Below what has another height before it is read. */}
      {!domains.isPending && (
        <>
          <TestAndSwitch partner={partner} connection={answer.data} hasDomain={hasDomain} />
          <NewMembers partner={partner} answer={answer} />
          <Provisioning partner={partner} connection={answer.data} />
          <History partner={partner} target={id} />
        </>
      )}
      {opened && <ChangeConnection partner={partner} opened={opened} onClose={() => setOpened(null)} />}
    </Page>
  );
}

function DeleteConnection({ partner, answer, onClose }: Props & { onClose: () => void }) {
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
