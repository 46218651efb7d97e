// Single sign-on: the identity providers with which people of the partner sign in.
import { listConnections } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { Button } from '#ui/button/button.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Page } from '#ui/layout/page.tsx';
import { List } from '#ui/table/list.tsx';
import { useListState } from '#ui/table/list-state.ts';
import { Status, Time } from '#ui/text/text.tsx';
import { OwnersOnly } from '../owners-only.tsx';
import { AddConnection } from './add-connection.tsx';
import { stateOf } from './messages.ts';
import { RequiredSignIn } from './required-sign-in.tsx';

export function SingleSignOnPage() {
  const [isAdding, setAdding] = useState(false);
  const add = () => setAdding(true);
  return (
    <OwnersOnly title="Single sign-on">
      <Page
        title="Single sign-on"
        about="People of this partner sign in with their company's own identity provider."
        action={
          <Button look="primary" onClick={add}>
            Add a connection
          </Button>
        }
      >
        <Found onAdd={add} />
        {isAdding && <AddConnection onClose={() => setAdding(false)} />}
      </Page>
    </OwnersOnly>
  );
}

function Found({ onAdd }: { onAdd: () => void }) {
  const partner = usePartner();
  const state = useListState({ sort: { by: 'created_at', direction: 'asc' } });
  const query = useRead(listConnections, { path: { id: partner }, query: state.query });
  return (
    <>
      <List
        label="Connections"
        query={query}
        state={state}
        keyOf={({ id }) => id}
        empty={
          <Empty action={<Button onClick={onAdd}>Add a connection</Button>}>
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
          {
            name: 'State',
            cell: (connection) => <Status {...stateOf(connection)} />,
          },
          { name: 'Issuer', cell: ({ issuer }) => <code>{issuer}</code>, isSecondary: true },
          {
            name: 'New members',
            cell: ({ admits_new_members }) => (admits_new_members ? 'Join' : 'By invitation'),
            isSpare: true,
          },
          {
            name: 'Created',
            sortBy: 'created_at',
            cell: ({ created_at }) => <Time at={created_at} />,
            isSecondary: true,
          },
        ]}
      />
      {/* Below what has another height before it is read. */}
      {query.data !== undefined && (
        <RequiredSignIn hasConnection={query.data.data.some(({ enabled }) => enabled)} />
      )}
    </>
  );
}
