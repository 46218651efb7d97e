// Step 3: a real sign-in of the owner, and then the switch.
import {
  disableConnection,
  enableConnection,
  type IdentityConnection,
  testConnection,
} from '@concord/client';
import { useState } from 'react';
import { keepReturn } from '../../../api/return-path.ts';
import { useWrite, write } from '../../../api/write.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Confirm } from '../../../ui/dialog/confirm.tsx';
import { Row, Section } from '../../../ui/layout/page.tsx';
import { Soft } from '../../../ui/text/text.tsx';
import { connectionProblems, testWords } from './messages.ts';

type Props = { partner: string; connection: IdentityConnection; hasDomain: boolean };

export function TestAndSwitch({ partner, connection, hasDomain }: Props) {
  const { id, name, enabled, tested_at } = connection;
  const path = { id: partner, connection_id: id };
  const { isRunning, run } = useWrite();
  const [isTurningOff, setTurningOff] = useState(false);
  const isReady = hasDomain && tested_at !== null;

  async function test() {
    const answer = await run((client) => testConnection({ client, path }), { keepsCache: true });
    if (answer === undefined) return;
    keepReturn(`/p/${partner}/single-sign-on/${id}`);
    window.location.assign(answer.url);
  }

  return (
    <Section title={testWords.title} about={testWords.about}>
      <Row>
        <Button
          look={isReady ? 'secondary' : 'primary'}
          disabled={!hasDomain}
          isBusy={isRunning}
          onClick={test}
        >
          {tested_at === null ? testWords.test : testWords.again}
        </Button>
        {enabled ? (
          <Button onClick={() => setTurningOff(true)}>{testWords.turnOff}</Button>
        ) : (
          <Button
            look={isReady ? 'primary' : 'secondary'}
            disabled={!isReady}
            isBusy={isRunning}
            onClick={() =>
              void run((client) => enableConnection({ client, path }), {
                done: testWords.on(name),
              })
            }
          >
            {testWords.turnOn}
          </Button>
        )}
        <Soft>{next(hasDomain, connection)}</Soft>
      </Row>
      {isTurningOff && (
        <Confirm
          title={testWords.offTitle(name)}
          confirm={testWords.turnOff}
          explain={connectionProblems}
          onClose={() => setTurningOff(false)}
          onConfirm={() =>
            write((client) => disableConnection({ client, path }), { done: testWords.off(name) })
          }
        >
          <p>{testWords.offAbout}</p>
        </Confirm>
      )}
    </Section>
  );
}

function next(hasDomain: boolean, { tested_at, enabled }: IdentityConnection): string {
  if (!hasDomain) return testWords.domainFirst;
  if (tested_at === null) return testWords.testFirst;
  return enabled ? '' : testWords.passed;
}
