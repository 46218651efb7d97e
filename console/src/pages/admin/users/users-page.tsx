// Users: everybody who has an account, and what an operator can do about one.
import { listUsers } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { useMe } from '#app/session.ts';
import { Empty } from '#ui/feedback/empty.tsx';
import { Page } from '#ui/layout/page.tsx';
import { Filters, FilterText, List, useListState } from '#ui/table/list.tsx';
import { EmailAddress, Faint, Status } from '#ui/text/text.tsx';
import { isServiceAccount, roleNames, userState } from '../messages.ts';
import { useUserActions } from './user-actions.tsx';

export function UsersPage() {
  const me = useMe();
  const state = useListState({ filters: ['email', 'name'], sort: { by: 'email', direction: 'asc' } });
  const users = useRead(listUsers, { query: state.query });
  const actionsOf = useUserActions();
  return (
    <Page
      title="Users"
      about="Everybody who has an account. What they may do to a partner is in their agreement with it."
    >
      <Filters>
        <FilterText state={state} name="email" label="E-mail address" />
        <FilterText state={state} name="name" label="Name" />
      </Filters>
      <List
        label="Users"
        query={users}
        state={state}
        keyOf={({ id }) => id}
        nameOf={({ email }) => email}
        columns={[
          {
            name: 'E-mail address',
            sortBy: 'email',
            isWide: true,
            cell: (user) => (
              <Link to="/admin/users/$user" params={{ user: user.id }}>
                {isServiceAccount(user) ? user.name : <EmailAddress email={user.email} />}
              </Link>
            ),
          },
          {
            name: 'Name',
            sortBy: 'name',
            cell: ({ id, name }) => (
              <>
                {name} {id === me.id && <Faint>(you)</Faint>}
              </>
            ),
            isSecondary: true,
          },
          { name: 'State', cell: (user) => <Status {...userState(user)} /> },
          { name: 'Role', cell: ({ role }) => roleNames[role], isSecondary: true },
          {
            name: 'Second factor',
            cell: ({ two_factor_enabled }) => (two_factor_enabled ? 'Yes' : 'No'),
            isSpare: true,
          },
          { name: 'Created', sortBy: 'created_at', at: 'created_at', isSpare: true },
        ]}
        actions={actionsOf}
        empty={<Empty>There is no user.</Empty>}
      />
    </Page>
  );
}
