// The person's passkeys: add, rename and remove them.
import { listPasskeys, type Passkey, removePasskey, renamePasskey } from '@concord/client';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { canUsePasskeys } from '#app/passkeys/passkeys.ts';
import { keeperOf } from '#messages/passkeys.ts';
import { Confirm } from '#ui/dialog/confirm.tsx';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Section } from '#ui/layout/page.tsx';
import { LoadedTable } from '#ui/table/loaded-table.tsx';
import { Time } from '#ui/text/text.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { PasskeyName } from './passkey-name.tsx';

/** Nothing when the browser cannot use one here, and there is none. */
export function Passkeys() {
  const passkeys = useRead(listPasskeys, {});
  if (!canUsePasskeys() && !passkeys.data?.data.length) return null;
  return (
    <Section
      title="Passkeys"
      about="Sign in with the fingerprint, face or PIN of your device. A passkey replaces the password, and is a second factor too."
      action={canUsePasskeys() && <AddPasskey />}
    >
      <LoadedTable
        query={passkeys}
        lines={2}
        empty={<Empty>You have no passkeys.</Empty>}
        label="Passkeys"
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        columns={[
          { name: 'Name', cell: ({ name }) => name },
          {
            name: 'Kept by',
            cell: ({ aaguid }) => keeperOf(aaguid) ?? '–',
            isSecondary: true,
          },
          {
            name: 'Added',
            cell: ({ created_at }) => <Time at={created_at} />,
            isSecondary: true,
          },
          {
            name: 'Last used',
            cell: ({ last_used_at }) => <Time at={last_used_at} none="Never" />,
          },
        ]}
        actions={(passkey) => [
          { label: 'Rename', dialog: (onClose) => <Rename passkey={passkey} onClose={onClose} /> },
          {
            label: 'Remove',
            isDangerous: true,
            dialog: (onClose) => (
              <Confirm
                title={`Remove the passkey ${passkey.name}?`}
                confirm="Remove the passkey"
                onClose={onClose}
                onConfirm={() =>
                  write(removePasskey, { path: { id: passkey.id } }, { done: 'The passkey is removed.' })
                }
              >
                It does not sign you in any more. If it is your last one and you have no authenticator app,
                your second factor is off then. Delete it on your device too.
              </Confirm>
            ),
          },
        ]}
      />
    </Section>
  );
}

function Rename({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  return (
    <FormDialog
      title={`Rename the passkey ${name}`}
      onClose={onClose}
      submit="Rename the passkey"
      onSubmit={async (values) => {
        const body = { name: values.text('name').trim() };
        await write(renamePasskey, { path: { id }, body }, { done: 'The passkey is renamed.' });
        onClose();
      }}
    >
      <PasskeyName name={name} />
    </FormDialog>
  );
}
