// Adds a passkey: the browser makes it, the person names it, and the first second factor brings backup codes.
import { type AddedPasskey, addPasskey, beginPasskey } from '@concord/client';
import { useState } from 'react';
import { queryClient } from '#api/query-client.ts';
import { toast } from '#api/toasts.ts';
import { useWrite, write } from '#api/write.ts';
import { aaguidOf, describeProblem, makePasskey } from '#app/passkeys/passkeys.ts';
import { keeperOf, passkeyProblems } from '#messages/passkeys.ts';
import { Button } from '#ui/button/button.tsx';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { SecretPanel } from '#ui/secret/secret-panel.tsx';
import { describeDevice } from '../sessions/device.ts';
import { PasskeyName } from './passkey-name.tsx';

type Made = Awaited<ReturnType<typeof makePasskey>>;

export function AddPasskey() {
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
            setMade(null);
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
  await queryClient.invalidateQueries();
  toast({ tone: 'good', text: 'The passkey signs you in from now on.' });
}
