// Where a user is signed in. An operator can end each session.
import { endUserSession, listUserSessions, type User } from '@concord/client';
import { useRead } from '#api/read.ts';
import { useWrite } from '#api/write.ts';
import { Section } from '#ui/layout/page.tsx';
import { LoadedTable } from '#ui/table/loaded-table.tsx';
import { Faint, Time } from '#ui/text/text.tsx';

export function SessionsOf({ user: { id, email } }: { user: User }) {
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
        nameOf={({ user_agent, ip_address }) => `the session of ${user_agent ?? ip_address ?? email}`}
        columns={[
          {
            name: 'Client',
            cell: ({ user_agent, current }) => (
              <>
                {user_agent ?? 'Not known'} {current && <Faint>(this session)</Faint>}
              </>
            ),
          },
          { name: 'Address', cell: ({ ip_address }) => ip_address ?? '–' },
          { name: 'Signed in', cell: ({ created_at }) => <Time at={created_at} />, isSecondary: true },
          { name: 'Extended', cell: ({ updated_at }) => <Time at={updated_at} />, isSecondary: true },
          {
            name: 'Second factor',
            cell: ({ mfa_verified_at }) => <Time at={mfa_verified_at} none="Never" />,
            isSecondary: true,
          },
          { name: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} />, isSecondary: true },
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
