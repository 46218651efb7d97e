// What an operator can do about a user, for the row of a list and for the page of one. Each asks before it
// does it.
import { banUser, deleteUser, endUserSessions, setUserRole, type User, unbanUser } from '@concord/client';
import { type ReactNode, useState } from 'react';
import { isCode } from '#api/read.ts';
import { useWrite, write } from '#api/write.ts';
import { useMe } from '#app/session.ts';
import { Confirm } from '#ui/dialog/confirm.tsx';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { CheckField, TextField } from '#ui/form/field.tsx';
import type { Values } from '#ui/form/form.tsx';
import { findPastEnd } from '#ui/form/past-end.ts';
import type { Action } from '#ui/row-menu.tsx';
import { isBanned, isServiceAccount, userProblems } from '../messages.ts';

type Kind = 'ban' | 'role' | 'sessions' | 'delete';

/** `onDeleted`: where the page goes when its user is gone. */
export function useUserActions(onDeleted?: () => void): {
  actionsOf: (user: User) => Action[];
  dialog: ReactNode;
} {
  const me = useMe();
  const { run } = useWrite();
  const [asked, setAsked] = useState<{ kind: Kind; user: User } | null>(null);
  const onClose = () => setAsked(null);
  return {
    actionsOf: (user) => {
      const ask = (kind: Kind) => () => setAsked({ kind, user });
      const isOwn = user.id === me.id ? 'This is your own account.' : undefined;
      const path = { id: user.id };
      const ofPeople: Action[] = [
        { label: 'End all sessions', onSelect: ask('sessions') },
        {
          label: user.role === 'operator' ? 'Make a user' : 'Make an operator',
          onSelect: ask('role'),
          disabledBecause: isOwn,
        },
      ];
      return [
        ...(isServiceAccount(user) ? [] : ofPeople),
        isBanned(user)
          ? {
              label: 'Lift the ban',
              onSelect: () => void run(unbanUser, { path }, { done: `${user.email} can sign in again` }),
            }
          : { label: 'Ban', onSelect: ask('ban'), isDangerous: true, disabledBecause: isOwn },
        { label: 'Delete', onSelect: ask('delete'), isDangerous: true, disabledBecause: isOwn },
      ];
    },
    dialog: asked && dialogs[asked.kind]({ user: asked.user, onClose, onDeleted }),
  };
}

type DialogProps = { user: User; onClose: () => void; onDeleted?: (() => void) | undefined };
const dialogs: Readonly<Record<Kind, (props: DialogProps) => ReactNode>> = {
  ban: (props) => <BanDialog {...props} />,
  delete: (props) => <DeleteUserDialog {...props} />,
  role: (props) => <RoleDialog {...props} />,
  sessions: (props) => <SessionsDialog {...props} />,
};

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
      <p>The user has to sign in again on every device. Their access tokens go on working.</p>
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

function BanDialog({ user: { id, email }, onClose }: { user: User; onClose: () => void }) {
  const orphan = useOrphan();
  return (
    <FormDialog
      title={`Ban ${email}?`}
      description="From the next request on, the user cannot sign in, and their sessions and access tokens do not work. Their agreements stay. You can lift the ban at any time."
      onClose={onClose}
      submit="Ban the user"
      look="danger"
      explain={userProblems}
      check={findPastEnd}
      onSubmit={async (values) => {
        const end = values.optional('expires_at');
        await orphan.watch(() =>
          write(
            banUser,
            {
              path: { id },
              query: orphan.query(values),
              body: {
                reason: values.optional('reason'),
                expires_at: end === null ? null : new Date(end).toISOString(),
              },
            },
            { done: `${email} is banned` },
          ),
        );
        onClose();
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

function DeleteUserDialog({ user: { id, email }, onClose, onDeleted }: DialogProps) {
  const orphan = useOrphan();
  const [fault, setFault] = useState<string>();
  return (
    <FormDialog
      title={`Delete ${email}?`}
      description="Deletes the account with its agreements, sessions and access tokens, and pending invitations to the address. It cannot be restored. The audit log keeps what the user did, without names and addresses."
      onClose={onClose}
      submit="Delete the user"
      look="danger"
      explain={userProblems}
      onSubmit={async (values) => {
        const isTyped = values.text('email').trim().toLowerCase() === email.toLowerCase();
        setFault(isTyped ? undefined : `Type ${email}`);
        if (!isTyped) return;
        await orphan.watch(() =>
          write(deleteUser, { path: { id }, query: orphan.query(values) }, { done: `${email} is deleted` }),
        );
        onClose();
        onDeleted?.();
      }}
    >
      <TextField
        name="email"
        label="Type the address of the user"
        required
        autoComplete="off"
        fault={fault}
        help={email}
      />
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
