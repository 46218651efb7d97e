// What an operator can do about a user, for the row of a list and for the page of one. Each asks before it
// does it.
import {
  banUser,
  deleteUser,
  endUserSessions,
  removeUserSecondFactor,
  setUserRole,
  type User,
  unbanUser,
} from '@concord/client';
import { useState } from 'react';
import { isCode } from '#api/read.ts';
import { useWrite, write } from '#api/write.ts';
import { useMe } from '#app/session.ts';
import { fromLocal } from '#format/local-time.ts';
import { Confirm, FormDialog } from '#ui/dialog/dialog.tsx';
import { CheckField, TextField } from '#ui/form/field.tsx';
import type { Values } from '#ui/form/form.tsx';
import { findPastEnd } from '#ui/form/past-end.ts';
import type { RowAction } from '#ui/table/table.tsx';
import { isBanned, isServiceAccount } from '../messages.ts';

/** `onDeleted`: where the page goes when its user is gone. */
export function useUserActions(onDeleted?: () => void): (user: User) => RowAction[] {
  const me = useMe();
  const { run } = useWrite();
  return (user) => {
    const isOwn = user.id === me.id ? 'This is your own account.' : undefined;
    const path = { id: user.id };
    const ofPeople: RowAction[] = [
      {
        label: 'End all sessions',
        dialog: (onClose) => <SessionsDialog user={user} onClose={onClose} />,
      },
      {
        label: user.role === 'operator' ? 'Make a user' : 'Make an operator',
        disabledBecause: isOwn,
        dialog: (onClose) => <RoleDialog user={user} onClose={onClose} />,
      },
    ];
    if (user.two_factor_enabled)
      ofPeople.push({
        label: 'Remove the second factor',
        isDangerous: true,
        disabledBecause: isOwn,
        dialog: (onClose) => <SecondFactorDialog user={user} onClose={onClose} />,
      });
    return [
      ...(isServiceAccount(user) ? [] : ofPeople),
      isBanned(user)
        ? {
            label: 'Lift the ban',
            onSelect: () => void run(unbanUser, { path }, { done: `${user.email} can sign in again` }),
          }
        : {
            label: 'Ban',
            isDangerous: true,
            disabledBecause: isOwn,
            dialog: (onClose) => <BanDialog user={user} onClose={onClose} />,
          },
      {
        label: 'Delete',
        isDangerous: true,
        disabledBecause: isOwn,
        dialog: (onClose) => <DeleteUserDialog user={user} onClose={onClose} onDeleted={onDeleted} />,
      },
    ];
  };
}

type DialogProps = { user: User; onClose: () => void };

function SessionsDialog({ user, onClose }: DialogProps) {
  return (
    <Confirm
      title={`End all sessions of ${user.email}?`}
      confirm="End all sessions"
      onClose={onClose}
      onConfirm={() =>
        write(
          endUserSessions,
          { path: { id: user.id } },
          { done: `The sessions of ${user.email} have ended` },
        )
      }
    >
      The user has to sign in again on every device. Their access tokens go on working.
    </Confirm>
  );
}

function SecondFactorDialog({ user: { id, email }, onClose }: DialogProps) {
  return (
    <Confirm
      title={`Remove the second factor of ${email}?`}
      confirm="Remove the second factor"
      onClose={onClose}
      onConfirm={() =>
        write(
          removeUserSecondFactor,
          { path: { id } },
          { done: `${email} can sign in with the password alone` },
        )
      }
    >
      <p>
        Do this for somebody who has lost the app or passkey, and the backup codes. Check who asks: whoever
        knows the password can then sign in.
      </p>
      <p>This removes all passkeys and trusted devices, and ends every session. A mail tells the user.</p>
    </Confirm>
  );
}

function RoleDialog({ user, onClose }: DialogProps) {
  const role = user.role === 'operator' ? 'user' : 'operator';
  return (
    <Confirm
      title={role === 'operator' ? `Make ${user.email} an operator?` : `Make ${user.email} a user?`}
      confirm={role === 'operator' ? 'Make an operator' : 'Make a user'}
      onClose={onClose}
      onConfirm={() =>
        write(
          setUserRole,
          { path: { id: user.id }, body: { role } },
          { done: `${user.email} is ${role === 'operator' ? 'an operator' : 'a user'} now` },
        )
      }
    >
      <p>
        {role === 'operator'
          ? 'An operator may do everything, on every partner: read all data, change users and their roles, and rotate the signing keys.'
          : 'The user keeps only what their agreements with partners give. They can no longer open the pages of the platform.'}
      </p>
      <p>A changed role ends all sessions and access tokens of the user. They have to sign in again.</p>
    </Confirm>
  );
}

function BanDialog({ user: { id, email }, onClose }: DialogProps) {
  const orphan = useOrphan();
  return (
    <FormDialog
      title={`Ban ${email}?`}
      description="From the next request on, the user cannot sign in, and their sessions and access tokens do not work. Their agreements stay. You can lift the ban at any time."
      onClose={onClose}
      submit="Ban the user"
      look="danger"
      check={findPastEnd}
      onSubmit={(values) => {
        return orphan.watch(() =>
          write(
            banUser,
            {
              path: { id },
              query: orphan.query(values),
              body: {
                reason: values.optional('reason'),
                expires_at: fromLocal(values.optional('expires_at')),
              },
            },
            { done: `${email} is banned` },
          ),
        );
      }}
    >
      <TextField name="reason" label="Reason" help="Optional. Operators see it." />
      <TextField
        name="expires_at"
        label="Ends"
        type="datetime-local"
        help="Optional. Without it the ban has no end."
      />
      <OrphanField {...orphan} />
    </FormDialog>
  );
}

type DeleteProps = DialogProps & { onDeleted: (() => void) | undefined };

function DeleteUserDialog({ user: { id, email }, onClose, onDeleted }: DeleteProps) {
  const orphan = useOrphan();
  return (
    <FormDialog
      title={`Delete ${email}?`}
      description="Deletes the account with its agreements, sessions and access tokens, and pending invitations to the address. It cannot be restored. The audit log keeps what the user did, without names and addresses."
      onClose={onClose}
      submit="Delete the user"
      look="danger"
      check={(values) =>
        values.text('email').trim().toLowerCase() === email.toLowerCase()
          ? []
          : [{ name: 'email', message: `Type ${email}` }]
      }
      onSubmit={async (values) => {
        await orphan.watch(() =>
          write(deleteUser, { path: { id }, query: orphan.query(values) }, { done: `${email} is deleted` }),
        );
        onDeleted?.();
      }}
    >
      <TextField name="email" label="Type the address of the user" required autoComplete="off" help={email} />
      <OrphanField {...orphan} />
    </FormDialog>
  );
}

type Orphan = {
  readonly isOffered: boolean;
  /** Offers it after the refusal. */
  watch<Result>(change: () => Promise<Result>): Promise<Result>;
  query(values: Values): { orphan?: boolean };
};

/** Offered when a partner would lose its last owner: only an operator can go on all the same. */
function useOrphan(): Orphan {
  const [isOffered, setOffered] = useState(false);
  return {
    isOffered,
    watch: async (change) => {
      try {
        return await change();
      } catch (error) {
        if (isCode(error, 'last_owner')) setOffered(true);
        throw error;
      }
    },
    query: (values) => (values.isChecked('orphan') ? { orphan: true } : {}),
  };
}

function OrphanField({ isOffered }: Orphan) {
  if (!isOffered) return null;
  return (
    <CheckField
      name="orphan"
      label="Leave the partner without an owner"
      help="Nobody of the partner can then change who has access. Operators still can."
    />
  );
}
