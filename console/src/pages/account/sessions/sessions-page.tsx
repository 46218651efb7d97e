// Sessions: where the person is signed in.
import { listSessions, revokeOtherSessions, revokeSession, type Session } from '@concord/client';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { formatCount } from '#format/numbers.ts';
import { Confirm, ConfirmButton } from '#ui/dialog/dialog.tsx';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { Section } from '#ui/layout/page.tsx';
import { Table } from '#ui/table/table.tsx';
import { Status, Time } from '#ui/text/text.tsx';
import { AccountPage } from '../account-page.tsx';
import { describeDevice } from './device.ts';

export function SessionsPage() {
  const sessions = useRead(listSessions, {});
  const others = sessions.data?.data.filter(({ current }) => !current).length ?? 0;
  return (
    <AccountPage documentTitle="Sessions">
      <Section
        title="Sessions"
        about="Where you are signed in. If you do not know one, end it and change your password."
        action={
          others > 0 && (
            <ConfirmButton
              button="End all other sessions…"
              title={`End ${formatCount(others, 'other session', 'other sessions')}?`}
              confirm="End all other sessions"
              onConfirm={() => write(revokeOtherSessions, {}, { done: 'Only this session is left.' })}
            >
              Those devices have to sign in again. This session and your access tokens stay.
            </ConfirmButton>
          )
        }
      >
        <Loaded query={sessions}>
          {({ data }) => (
            <Table
              label="Sessions"
              // The newest first, and above all the one of this page.
              rows={data.toReversed().toSorted((one, other) => Number(other.current) - Number(one.current))}
              keyOf={({ id }) => id}
              nameOf={nameOf}
              columns={[
                {
                  name: 'Device',
                  cell: (session) =>
                    session.current ? (
                      <Status tone="good">{nameOf(session)}, this session</Status>
                    ) : (
                      nameOf(session)
                    ),
                },
                { name: 'Address', cell: ({ ipAddress }) => ipAddress ?? '–', isSecondary: true },
                { name: 'Signed in', at: 'createdAt' },
                { name: 'Ends', at: 'expiresAt', isSecondary: true },
                {
                  name: 'Second factor',
                  cell: ({ mfaVerifiedAt }) => <Time at={mfaVerifiedAt} none="Not proven" />,
                  isSecondary: true,
                },
              ]}
              actions={(session) =>
                session.current
                  ? []
                  : [
                      {
                        label: 'End the session',
                        isDangerous: true,
                        dialog: (onClose) => <EndSession session={session} onClose={onClose} />,
                      },
                    ]
              }
            />
          )}
        </Loaded>
      </Section>
    </AccountPage>
  );
}

function EndSession({ session, onClose }: { session: Session; onClose: () => void }) {
  return (
    <Confirm
      title={`End the session of ${nameOf(session)}?`}
      confirm="End the session"
      onClose={onClose}
      onConfirm={() => write(revokeSession, { body: { id: session.id } }, { done: 'The session has ended.' })}
    >
      That device has to sign in again.
    </Confirm>
  );
}

const nameOf = ({ userAgent }: Session): string => describeDevice(userAgent);
