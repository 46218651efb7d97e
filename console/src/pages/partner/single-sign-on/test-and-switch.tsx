// Step 3: a real sign-in of the owner, and then the switch.
import {
  disableConnection,
  enableConnection,
  type IdentityConnection,
  testConnection,
} from '@concord/client';
import { useWrite, write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { useLeave } from '#app/leave.ts';
import { Button } from '#ui/button.tsx';
import { ConfirmButton } from '#ui/dialog/dialog.tsx';
import { Row, Section } from '#ui/layout/page.tsx';
import { Soft } from '#ui/text/text.tsx';
import { connectionProblems } from './messages.ts';

type Props = { connection: IdentityConnection; hasDomain: boolean };

export function TestAndSwitch({ connection, hasDomain }: Props) {
  const partner = usePartner();
  const { id, name, enabled, tested_at } = connection;
  const path = { id: partner, connection_id: id };
  const { isRunning, run } = useWrite();
  const { isLeaving, leave } = useLeave();
  const isReady = hasDomain && tested_at !== null;

  const test = () => leave(testConnection, { path }, `/p/${partner}/single-sign-on/${id}`);

  return (
    <Section
      title="3. Test it, and turn it on"
      about="The test is a real sign-in: you go to the provider, and come back here. Your session stays yours."
    >
      <Row>
        <Button
          look={isReady ? 'secondary' : 'primary'}
          disabled={!hasDomain}
          isBusy={isLeaving}
          onClick={test}
        >
          {tested_at === null ? 'Test the connection' : 'Test it again'}
        </Button>
        {enabled ? (
          <ConfirmButton
            button="Turn off"
            title={`Turn ${name} off?`}
            confirm="Turn off"
            explain={connectionProblems}
            onConfirm={() => write(disableConnection, { path }, { done: `${name} is off.` })}
          >
            People sign in with a password or another provider until it is on again. Its proofs end at once.
          </ConfirmButton>
        ) : (
          <Button
            look={isReady ? 'primary' : 'secondary'}
            disabled={!isReady}
            isBusy={isRunning}
            onClick={() =>
              void run(
                enableConnection,
                { path },
                { done: `${name} is on. The sign-in page leads people of its domains there.` },
              )
            }
          >
            Turn on
          </Button>
        )}
        <Soft>{next(hasDomain, connection)}</Soft>
      </Row>
    </Section>
  );
}

function next(hasDomain: boolean, { tested_at, enabled }: IdentityConnection): string {
  if (!hasDomain) return 'Verify a domain first.';
  if (tested_at === null) return 'Test it with an account of a verified domain.';
  return enabled ? '' : 'The test has passed. You can turn it on.';
}
