// One connection: its set-up in steps, and what can be changed.
import { deleteConnection, getConnection, type IdentityConnection, listDomains } from '@concord/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { usePartner, usePath } from '#app/address.ts';
import { Button } from '#ui/button.tsx';
import { Confirm, DialogButton, FormDialog } from '#ui/dialog/dialog.tsx';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { TextField } from '#ui/form/field.tsx';
import { Page, Row, Section } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import { Fact, Facts, Status, Time } from '#ui/text/text.tsx';
import { History } from '../people/history.tsx';
import { ClientFields, readClient } from './client-fields.tsx';
import { Domains } from './domains.tsx';
import { authentications, connectionProblems, providerOf, stateOf } from './messages.ts';
import { NewMembers } from './new-members.tsx';
import { Provisioning } from './provisioning.tsx';
import { saveConnection } from './save-connection.ts';
import { TestAndSwitch } from './test-and-switch.tsx';

export function ConnectionPage() {
  const { partner, connection } = usePath();
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
        <Fact name="Id" id={id} />
      </Facts>
      <AtProvider connection={answer.data} />
      <Domains connection={answer.data} query={domains} />
      {/* Not before the domains, whose height is unknown until then. */}
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
      Its domains and its links to accounts are deleted too. Nobody can sign in with it: people use their
      password, or set one with "Forgotten password". The agreements that it made stay.
    </Confirm>
  );
}

/** Step 1: what the provider has to know of Concord. */
function AtProvider({ connection }: { connection: IdentityConnection }) {
  const { issuer, redirect_uri, backchannel_logout_uri, public_jwk } = connection;
  const { name, guide } = providerOf(issuer);
  return (
    <Section
      title="1. Tell the provider about Concord"
      about={
        <>
          Copy these to the application that you registered there.{' '}
          <a href={`/docs/${guide}`} target="_blank" rel="noreferrer">
            What to click: {name}
          </a>
        </>
      }
    >
      <Code label="Redirect URI" text={redirect_uri} />
      <Code
        label="Back-channel logout URI, if the provider has a field for it"
        text={backchannel_logout_uri}
      />
      {public_jwk && <Code label="Public key" text={JSON.stringify(public_jwk, null, 2)} isJson />}
    </Section>
  );
}

type ChangeConnectionProps = { opened: Answer<IdentityConnection>; onClose: () => void };

function ChangeConnection({ opened, onClose }: ChangeConnectionProps) {
  const partner = usePartner();
  const { name, issuer, enabled } = opened.data;
  return (
    <FormDialog
      title={`Change ${name}`}
      description={
        enabled
          ? 'Another issuer or client id turns the connection off until it is tested again. Then everybody must sign in again.'
          : 'Another issuer or client id has to be tested again.'
      }
      onClose={onClose}
      submit="Save the connection"
      explain={connectionProblems}
      onSubmit={(values) => {
        const mine = { name: values.text('name'), ...readClient(values) };
        return saveConnection({ partner, opened, mine });
      }}
    >
      <TextField name="name" label="Name" defaultValue={name} required maxLength={100} autoFocus />
      <ClientFields provider={providerOf(issuer)} present={opened.data} />
    </FormDialog>
  );
}
