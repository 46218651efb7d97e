// The second factor: set it up, new backup codes, and turn it off.
import { disableSecondFactor, generateBackupCodes } from '@concord/client';
import { useState } from 'react';
import { readAgain, write } from '#api/write.ts';
import { EnrolSecondFactor } from '#app/second-factor/enrol.tsx';
import { useWays, type Ways } from '#app/second-factor/ways.ts';
import { useMe } from '#app/session.ts';
import { Button } from '#ui/button.tsx';
import { DialogButton, FormDialog } from '#ui/dialog/dialog.tsx';
import { PasswordField } from '#ui/form/field.tsx';
import { Row, Section } from '#ui/layout/page.tsx';
import { Part } from '#ui/layout/part.tsx';
import { SecretPanel } from '#ui/secret/secret-panel.tsx';
import { Status } from '#ui/text/text.tsx';

export function SecondFactor() {
  /** Null: not begun since the page was opened. */
  const [enrolling, setEnrolling] = useState<boolean | null>(null);
  return (
    <Part key={String(enrolling)} label="Second factor" isLater={enrolling !== null}>
      <Shown isEnrolling={enrolling === true} setEnrolling={setEnrolling} />
    </Part>
  );
}

type ShownProps = { isEnrolling: boolean; setEnrolling: (isEnrolling: boolean) => void };

function Shown({ isEnrolling, setEnrolling }: ShownProps) {
  const me = useMe();
  if (me.two_factor_enabled && !isEnrolling) return <Enabled onAddApp={() => setEnrolling(true)} />;
  return (
    <Section
      title="Second factor"
      about={
        me.two_factor_enabled
          ? 'Adding an authenticator app makes new backup codes. Those that you have stop working.'
          : 'A passkey, or a code of an authenticator app besides your password. A stolen password alone is not enough to sign in.'
      }
    >
      {isEnrolling ? (
        <EnrolSecondFactor
          beside={<Button onClick={() => setEnrolling(false)}>Cancel</Button>}
          onDone={() => {
            setEnrolling(false);
            void readAgain();
          }}
        />
      ) : (
        <Row>
          <Status tone="warning">Off</Status>
          <Button look="primary" onClick={() => setEnrolling(true)}>
            Set up the second factor
          </Button>
        </Row>
      )}
    </Section>
  );
}

const lostCodes = {
  answer_lost: 'Concord did not answer, so your old codes may have stopped working. Make new ones again.',
};

function Enabled({ onAddApp }: { onAddApp: () => void }) {
  const ways = useWays({ enabled: true });
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Section title="Second factor" about={askedFor(ways)}>
      <Row>
        <Status tone="good">On</Status>
        {ways?.app === false && <Button onClick={onAddApp}>Add an authenticator app</Button>}
        <DialogButton
          dialog={(onClose) => (
            <FormDialog
              title="Make new backup codes?"
              description="The codes that you have now stop working."
              onClose={onClose}
              submit="Make new backup codes"
              explain={lostCodes}
              onSubmit={async (values) => {
                const body = { password: values.text('password') };
                setCodes((await write(generateBackupCodes, { body }, { keepsCache: true })).backupCodes);
              }}
            >
              <PasswordField name="password" label="Password" required autoFocus />
            </FormDialog>
          )}
        >
          Make new backup codes…
        </DialogButton>
        <DialogButton
          dialog={(onClose) => (
            <FormDialog
              title="Turn the second factor off?"
              description="Your password alone signs you in then, and your passkeys are removed. Partners that require a second factor are closed to you until you set up a new one."
              onClose={onClose}
              submit="Turn the second factor off"
              look="danger"
              onSubmit={(values) => {
                const body = { password: values.text('password') };
                return write(disableSecondFactor, { body }, { done: 'The second factor is off.' });
              }}
            >
              <PasswordField name="password" label="Password" required autoFocus />
            </FormDialog>
          )}
        >
          Turn it off…
        </DialogButton>
      </Row>
      {codes && (
        <SecretPanel
          title="Your backup codes"
          description="Each signs you in once when the authenticator app or the passkey is lost. Keep them apart from your password."
          lines={codes}
          fileName="concord-backup-codes.txt"
          onClose={() => setCodes(null)}
        />
      )}
    </Section>
  );
}

function askedFor(ways: Ways | null): string {
  if (ways?.app === false) return 'Signing in with the password asks for a passkey.';
  return `Signing in asks for a code of your authenticator app${ways?.passkey ? ', or for a passkey' : ''}.`;
}
