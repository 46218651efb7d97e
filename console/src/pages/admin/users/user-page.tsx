// One user: who they are, where they are signed in, and which partners they have access to.
import { endUserSession, listUserSessions, listUsers, search, type User } from '@concord/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { useWrite } from '#api/write.ts';
import { usePath } from '#app/address.ts';
import { Empty } from '#ui/feedback/empty.tsx';
import { Banner, Loaded } from '#ui/feedback/feedback.tsx';
import { Page, Row, Section } from '#ui/layout/page.tsx';
import { ActionButton, LoadedTable } from '#ui/table/table.tsx';
import { Fact, Facts, Faint, Id, Status, Time } from '#ui/text/text.tsx';
import { describeDevice } from '../../account/sessions/device.ts';
import { isServiceAccount, roleNames, userState } from '../messages.ts';
import { useUserActions } from './user-actions.tsx';

export function UserPage() {
  const { user: id } = usePath();
  return <UserById key={id} id={id} />;
}

/**
 * The API has no operation for one user. The search turns the id into the address, and the list has the user
 * with it.
 */
function UserById({ id }: { id: string }) {
  const results = useRead(search, { query: { q: id } });
  const found = results.data?.data.find(({ kind, id: each }) => kind === 'user' && each === id);
  if (found !== undefined) return <UserByAddress id={id} email={found.label} />;
  return <NoUser query={results} id={id} />;
}

/** Addresses that contain this one are found too. */
const enough = 100;
function UserByAddress({ id, email }: { id: string; email: string }) {
  const users = useRead(listUsers, { query: { 'filter[email]': email, page_size: enough } });
  const user = users.data?.data.find((each) => each.id === id);
  return user === undefined ? <NoUser query={users} id={id} /> : <UserDetail user={user} />;
}

function NoUser<Data>({ query, id }: { query: UseQueryResult<Data>; id: string }) {
  return (
    <Page title="User" above={<Link to="/admin/users">Users</Link>}>
      <Loaded query={query} lines={6}>
        {() => (
          <Empty>
            No user has the id <code>{id}</code>. The account may be deleted.
          </Empty>
        )}
      </Loaded>
    </Page>
  );
}

function UserDetail({ user }: { user: User }) {
  const navigate = useNavigate();
  const actionsOf = useUserActions(() => void navigate({ to: '/admin/users' }));
  const state = userState(user);
  return (
    <Page
      title={user.name}
      documentTitle={`${user.email} – User`}
      above={<Link to="/admin/users">Users</Link>}
      about={user.email}
      beside={<Status {...state} />}
    >
      {state.tone === 'bad' && <Ban user={user} />}
      <Facts>
        <Fact name="Role">{roleNames[user.role]}</Fact>
        <Fact name="Address">{user.email_verified ? 'Confirmed' : 'Not confirmed'}</Fact>
        <Fact name="Second factor">{user.two_factor_enabled ? 'Enabled' : 'Not enabled'}</Fact>
        <Fact name="Created" at={user.created_at} />
        <Fact name="Id" id={user.id} />
      </Facts>
      <AgreementsOf user={user} />
      {!isServiceAccount(user) && <SessionsOf user={user} />}
      <Section title="Change the account" about="What the user did is in the audit log.">
        <Row>
          {actionsOf(user)
            .filter(({ disabledBecause }) => disabledBecause === undefined)
            .map((action) => (
              <ActionButton key={action.label} action={action} look="secondary" />
            ))}
          <Link to="/admin/audit" search={{ actor: user.id }}>
            Open the audit log
          </Link>
        </Row>
      </Section>
    </Page>
  );
}

function Ban({ user: { ban_reason, ban_expires_at } }: { user: User }) {
  return (
    <Banner tone="warning">
      <p>
        Banned
        {ban_expires_at === null ? (
          ', without an end'
        ) : (
          <>
            , ends <Time at={ban_expires_at} />
          </>
        )}
        . {ban_reason === null ? '' : 'Reason: '}
        {ban_reason ?? <Faint>No reason was given.</Faint>}
      </p>
    </Banner>
  );
}

function AgreementsOf({ user: { email } }: { user: User }) {
  const results = useRead(search, { query: { q: email } });
  return (
    <Section
      title="Agreements"
      about="Agreements with this address: active ones, and invitations. At most 20."
    >
      <LoadedTable
        query={results}
        lines={2}
        empty={<Faint>No partner has an agreement with this address.</Faint>}
        rows={(data) =>
          data.filter(
            ({ kind, label }) => kind === 'agreement' && label.toLowerCase() === email.toLowerCase(),
          )
        }
        label="Agreements"
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Partner',
            cell: ({ partner_id, partner_name }) => (
              <Link to="/p/$partner" params={{ partner: partner_id ?? '' }}>
                {partner_name}
              </Link>
            ),
          },
          {
            name: 'Agreement',
            cell: ({ id, partner_id, partner_name }) => (
              <Link
                to="/p/$partner/people/$agreement"
                params={{ partner: partner_id ?? '', agreement: id }}
                aria-label={`Access to ${partner_name ?? ''}`}
              >
                Access
              </Link>
            ),
          },
          { name: 'Id', cell: ({ id }) => <Id id={id} />, isSecondary: true },
        ]}
      />
    </Section>
  );
}

function SessionsOf({ user: { id } }: { user: User }) {
  const sessions = useRead(listUserSessions, { path: { id } });
  const { run } = useWrite();
  return (
    <Section title="Sessions" about="Where the user is signed in.">
      <LoadedTable
        query={sessions}
        lines={3}
        empty={<Faint>The user is not signed in anywhere.</Faint>}
        rows={(data) => data.toReversed()}
        label="Sessions"
        keyOf={(session) => session.id}
        nameOf={({ user_agent }) => `the session of ${describeDevice(user_agent)}`}
        columns={[
          {
            name: 'Device',
            cell: ({ user_agent, current }) => (
              <span title={user_agent ?? undefined}>
                {describeDevice(user_agent)} {current && <Faint>(this session)</Faint>}
              </span>
            ),
          },
          { name: 'Address', cell: ({ ip_address }) => ip_address ?? '–', isSecondary: true },
          { name: 'Signed in', at: 'created_at' },
          { name: 'Extended', at: 'updated_at', isSecondary: true },
          {
            name: 'Second factor',
            cell: ({ mfa_verified_at }) => <Time at={mfa_verified_at} none="Not proven" />,
            isSecondary: true,
          },
          { name: 'Ends', at: 'expires_at', isSecondary: true },
        ]}
        actions={(session) => [
          {
            label: 'End the session',
            isDangerous: true,
            disabledBecause: session.current ? 'This is your own session. Sign out to end it.' : undefined,
            onSelect: () =>
              void run(
                endUserSession,
                { path: { id, session_id: session.id } },
                { done: 'The session has ended' },
              ),
          },
        ]}
      />
    </Section>
  );
}
