// The person's passkeys: add, rename and remove them.
import {
  type AddedPasskey,
  addPasskey,
  beginPasskey,
  listPasskeys,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { toast } from '#api/toasts.ts';
import { readAgain, useWrite, write } from '#api/write.ts';
import { canUsePasskeys } from '#app/passkeys/can-use.ts';
import { aaguidOf, describeProblem, makePasskey } from '#app/passkeys/passkeys.ts';
import { keeperOf, passkeyProblems } from '#messages/passkeys.ts';
import { Button } from '#ui/button.tsx';
import { Confirm, FormDialog } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { TextField } from '#ui/form/field.tsx';
import { Section } from '#ui/layout/page.tsx';
import { SecretPanel } from '#ui/secret/secret-panel.tsx';
import { LoadedTable } from '#ui/table/table.tsx';
import { Time } from '#ui/text/text.tsx';
import { describeDevice } from '../sessions/device.ts';

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
          { name: 'Kept by', cell: ({ aaguid }) => keeperOf(aaguid) ?? '–', isSecondary: true },
          { name: 'Added', at: 'created_at', isSecondary: true },
          { name: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} none="Never" /> },
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
                your second factor is turned off. Delete it on your device too.
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
      onSubmit={(values) => {
        const body = { name: values.text('name').trim() };
        return write(renamePasskey, { path: { id }, body }, { done: 'The passkey is renamed.' });
      }}
    >
      <PasskeyName name={name} />
    </FormDialog>
  );
}

type Made = Awaited<ReturnType<typeof makePasskey>>;

/** Adds a passkey: the browser makes it, the person names it, and the first second factor brings backup codes. */
function AddPasskey() {
  const { isRunning, run } = useWrite();
  const [made, setMade] = useState<Made | null>(null);
  const [codes, setCodes] = useState<AddedPasskey['backupCodes']>();

  async function make() {
    const options = await run(beginPasskey, {}, { keepsCache: true });
    if (options === undefined) return;
    try {
      setMade(await makePasskey(options));
    } catch (error) {
      toast({ tone: 'bad', text: describeProblem(error) });
    }
  }
  return (
    <>
      <Button isBusy={isRunning} onClick={() => void make()}>
        Add a passkey
      </Button>
      {made && (
        <FormDialog
          title="Name the passkey"
          onClose={() => setMade(null)}
          submit="Save the passkey"
          explain={passkeyProblems}
          onSubmit={async (values) => {
            const body = { ...made, name: values.text('name').trim() };
            const { backupCodes } = await write(addPasskey, { body }, { keepsCache: true });
            setCodes(backupCodes);
            // The codes are shown only now, so the page stays as it is until they are kept.
            if (backupCodes === undefined) await finish();
          }}
        >
          <PasskeyName name={keeperOf(aaguidOf(made.credential)) ?? describeDevice(navigator.userAgent)} />
        </FormDialog>
      )}
      {codes && (
        <SecretPanel
          title="Your backup codes"
          description="Your second factor is on. Each code signs you in once when your passkeys are lost. Keep them apart from your password."
          lines={codes}
          fileName="concord-backup-codes.txt"
          onClose={() => {
            setCodes(undefined);
            void finish();
          }}
        />
      )}
    </>
  );
}

async function finish(): Promise<void> {
  await readAgain();
  toast({ tone: 'good', text: 'The passkey signs you in from now on.' });
}

const PasskeyName = ({ name }: { name: string }) => (
  <TextField
    name="name"
    label="Name"
    help="A name by which you recognize it."
    defaultValue={name}
    maxLength={100}
    required
    autoFocus
  />
);
