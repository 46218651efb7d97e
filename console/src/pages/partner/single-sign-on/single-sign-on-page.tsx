// Single sign-on: the identity providers with which people of the partner sign in.
import { createConnection, listConnections } from '@concord/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { DialogButton, FormDialog } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { SelectField, TextField } from '#ui/form/field.tsx';
import { Page } from '#ui/layout/page.tsx';
import { List, useListState } from '#ui/table/list.tsx';
import { Status } from '#ui/text/text.tsx';
import { ClientFields, readClient } from './client-fields.tsx';
import { connectionProblems, providers, stateOf } from './messages.ts';
import { RequiredSignIn } from './required-sign-in.tsx';

export function SingleSignOnPage() {
  const partner = usePartner();
  const state = useListState({ sort: { by: 'created_at', direction: 'asc' } });
  const query = useRead(listConnections, { path: { id: partner }, query: state.query });
  return (
    <Page
      title="Single sign-on"
      about="People of this partner sign in with their company's own identity provider."
      action={
        <DialogButton look="primary" dialog={(onClose) => <AddConnection onClose={onClose} />}>
          Add a connection
        </DialogButton>
      }
    >
      <List
        label="Connections"
        query={query}
        state={state}
        keyOf={({ id }) => id}
        empty={
          <Empty>
            A connection leads people to Microsoft Entra ID, Okta, Google Workspace, Keycloak, or another
            provider that speaks OpenID Connect. Setting one up takes about ten minutes.{' '}
            <a href="/docs/identity.md">Read what you need</a>
          </Empty>
        }
        columns={[
          {
            name: 'Connection',
            cell: ({ id, name }) => (
              <Link to="/p/$partner/single-sign-on/$connection" params={{ partner, connection: id }}>
                {name}
              </Link>
            ),
          },
          { name: 'State', cell: (connection) => <Status {...stateOf(connection)} /> },
          { name: 'Issuer', cell: ({ issuer }) => <code>{issuer}</code>, isSecondary: true },
          {
            name: 'New members',
            cell: ({ admits_new_members }) => (admits_new_members ? 'Join' : 'By invitation'),
            isSpare: true,
          },
          { name: 'Created', sortBy: 'created_at', at: 'created_at', isSecondary: true },
        ]}
      />
      {/* Below what has another height before it is read. */}
      {query.data !== undefined && query.data.data.length > 0 && (
        <RequiredSignIn hasConnection={query.data.data.some(({ enabled }) => enabled)} />
      )}
    </Page>
  );
}

type Props = { onClose: () => void };

function AddConnection({ onClose }: Props) {
  const partner = usePartner();
  const navigate = useNavigate();
  const [id, setId] = useState(providers[0].id);
  const provider = providers.find((each) => each.id === id) ?? providers[0];
  return (
    <FormDialog
      title="Add a connection"
      onClose={onClose}
      submit="Add the connection"
      explain={connectionProblems}
      onSubmit={async (values) => {
        const body = { name: values.text('name'), ...readClient(values) };
        const made = await write(
          createConnection,
          { path: { id: partner }, body },
          { done: `${body.name} is added. Go on with the steps below.` },
        );
        await navigate({
          to: '/p/$partner/single-sign-on/$connection',
          params: { partner, connection: made.id },
        });
      }}
    >
      <SelectField
        name="provider"
        label="Identity provider"
        value={id}
        onChange={(event) => setId(event.target.value)}
        options={providers.map(({ id: value, name: label }) => ({ value, label }))}
        help={
          <>
            {provider.about}{' '}
            <a href={`/docs/${provider.guide}`} target="_blank" rel="noreferrer">
              What to click
            </a>
          </>
        }
      />
      <TextField
        key={id}
        name="name"
        label="Name"
        defaultValue={provider.id === 'other' ? '' : provider.name}
        required
        maxLength={100}
        help="People see it when they sign in."
      />
      <ClientFields key={`client ${id}`} provider={provider} />
    </FormDialog>
  );
}
