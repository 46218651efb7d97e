// Single sign-on: the identity providers with which people of the partner sign in.
import { listConnections } from '@concord/client';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../../api/read.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { List } from '../../../ui/table/list.tsx';
import { useListState } from '../../../ui/table/list-state.ts';
import { Status, Time } from '../../../ui/text/text.tsx';
import { OwnersOnly } from '../owners-only.tsx';
import { AddConnection } from './add-connection.tsx';
import { clientWords, pageWords, stateOf } from './messages.ts';
import { RequiredSignIn } from './required-sign-in.tsx';

export function SingleSignOnPage() {
  const { partner } = useParams({ strict: false }) as { partner: string };
  const [isAdding, setAdding] = useState(false);
  const add = () => setAdding(true);
  return (
    <OwnersOnly partner={partner} title={pageWords.title}>
      <Page
        title={pageWords.title}
        about={pageWords.about}
        action={
          <Button look="primary" onClick={add}>
            {pageWords.add}
          </Button>
        }
      >
        <Found partner={partner} onAdd={add} />
        {isAdding && <AddConnection partner={partner} onClose={() => setAdding(false)} />}
      </Page>
    </OwnersOnly>
  );
}

function Found({ partner, onAdd }: { partner: string; onAdd: () => void }) {
  const state = useListState({ sort: { by: 'created_at', direction: 'asc' } });
  const query = useRead(listConnections, { path: { id: partner }, query: state.query });
  return (
    <>
      <List
        label={pageWords.connections}
        query={query}
        state={state}
        keyOf={({ id }) => id}
        empty={
          <Empty action={<Button onClick={onAdd}>{pageWords.add}</Button>}>
            {pageWords.empty} <a href="/docs/identity.md">{pageWords.guide}</a>
          </Empty>
        }
        columns={[
          {
            name: pageWords.connection,
            cell: ({ id, name }) => (
              <Link to="/p/$partner/single-sign-on/$connection" params={{ partner, connection: id }}>
                {name}
              </Link>
            ),
          },
          {
            name: pageWords.state,
            cell: (connection) => {
              const { tone, label } = stateOf(connection);
              return <Status tone={tone}>{label}</Status>;
            },
          },
          { name: clientWords.issuer, cell: ({ issuer }) => <code>{issuer}</code>, isSecondary: true },
          {
            name: pageWords.newMembers,
            cell: ({ admits_new_members }) => (admits_new_members ? pageWords.join : pageWords.invited),
            isSpare: true,
          },
          {
            name: pageWords.created,
            sortBy: 'created_at',
            cell: ({ created_at }) => <Time at={created_at} />,
            isSecondary: true,
          },
        ]}
      />
      {/* Below what has another height before it is read. */}
      {query.data !== undefined && (
        <RequiredSignIn partner={partner} hasConnection={query.data.data.some(({ enabled }) => enabled)} />
      )}
    </>
  );
}
