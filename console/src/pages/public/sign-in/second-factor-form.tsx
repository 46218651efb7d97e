// The second step of a sign-in: a passkey, a code of the authenticator app, or a backup code.
import { verifyBackupCode, verifyPasskey, verifyTotp } from '@concord/client';
import { useState } from 'react';
import { client } from '#api/client.ts';
import { PasskeyButton } from '#app/passkeys/passkey-button.tsx';
import { CodeField, codeIn } from '#app/second-factor/code-field.tsx';
import { askForPasskey, useWays, type Ways } from '#app/second-factor/ways.ts';
import { Button } from '#ui/button.tsx';
import { Skeleton } from '#ui/feedback/feedback.tsx';
import { CheckField, TextField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { Row, Stack } from '#ui/layout/page.tsx';

const codeProblems = {
  invalid_code: 'The code is wrong, or was already used. A new one appears every 30 seconds.',
  invalid_token: 'The sign-in took too long. Start again.',
};

type Props = {
  onDone: () => unknown;
  /** Back to the password: the sign-in took too long, or it is somebody else's. */
  onRestart: () => void;
};
type Way = 'passkey' | 'app' | 'backup';
const names: Readonly<Record<Way, string>> = {
  passkey: 'Use a passkey',
  app: 'Use the authenticator app',
  backup: 'Use a backup code',
};

export function SecondFactorForm(props: Props) {
  const ways = useWays({ enabled: true });
  return ways === null ? <Skeleton /> : <Steps ways={ways} {...props} />;
}

function Steps({ ways, onDone, onRestart }: Props & { ways: Ways }) {
  const all: Way[] = [
    ...(ways.passkey ? ['passkey' as const] : []),
    ...(ways.app ? ['app' as const] : []),
    'backup',
  ];
  const [way, setWay] = useState<Way>(all[0] ?? 'backup');
  const restart = (
    <Button look="plain" onClick={onRestart}>
      Start again
    </Button>
  );
  return (
    <Stack>
      {way === 'passkey' ? (
        <>
          <p>Your passkey completes the sign-in.</p>
          <PasskeyButton
            label="Continue with a passkey"
            look="primary"
            ask={askForPasskey}
            onProof={async (body) => {
              await verifyPasskey({ client, body });
              await onDone();
            }}
          />
        </>
      ) : (
        <Form
          key={way}
          submit="Continue"
          explain={codeProblems}
          beside={restart}
          onSubmit={async (values) => {
            const body = { code: codeIn(values), trustDevice: values.isChecked('trustDevice') };
            await (way === 'backup' ? verifyBackupCode({ client, body }) : verifyTotp({ client, body }));
            await onDone();
          }}
        >
          {way === 'backup' ? (
            <TextField
              name="code"
              label="Backup code"
              help="Each works once. Without one, an operator has to delete your account, and somebody invites you again."
              autoComplete="off"
              required
              autoFocus
              isCode
            />
          ) : (
            <CodeField help="The six digits that your authenticator app shows." />
          )}
          <CheckField name="trustDevice" label="Do not ask for a code on this device for 30 days" />
        </Form>
      )}
      <Row>
        {all
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} look="plain" onClick={() => setWay(other)}>
              {names[other]}
            </Button>
          ))}
        {way === 'passkey' && restart}
      </Row>
    </Stack>
  );
}
