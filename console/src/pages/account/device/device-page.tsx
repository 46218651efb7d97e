// Answers a program that asks for an access token: the code that it shows, who asks, and what it gets.
import {
  approveDeviceAuthorization,
  denyDeviceAuthorization,
  getDeviceAuthorization,
  type OpenDeviceAuthorization,
} from '@concord/client';
import { useState } from 'react';
import { useWrite, write } from '#api/write.ts';
import { useAsked } from '#app/address.ts';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { Page, Section } from '#ui/layout/page.tsx';
import { Fact, Facts } from '#ui/text/text.tsx';
import { useTokenTerms, webhooks } from '../tokens/token-terms.tsx';

const warning =
  'Go on only if your own terminal shows this code now. Whoever sends you a code could act in your name.';
const explain = {
  not_found: 'No program waits with this code. Look at the terminal, or run the command again.',
};

export function DevicePage() {
  const [asked, setAsked] = useState<OpenDeviceAuthorization | null>(null);
  const [answer, setAnswer] = useState<'approved' | 'denied' | null>(null);
  return (
    <Page title="Connect a program" about={warning}>
      {answer === 'approved' && (
        <Section title="The program has its token">
          Go back to the terminal. Your account shows it under Access tokens, where you can revoke it.
        </Section>
      )}
      {answer === 'denied' && <Section title="Denied">The program gets nothing.</Section>}
      {answer === null && asked === null && <Find onFound={setAsked} />}
      {answer === null && asked !== null && <Answer asked={asked} onAnswer={setAnswer} />}
    </Page>
  );
}

function Find({ onFound }: { onFound: (asked: OpenDeviceAuthorization) => void }) {
  const { user_code: given } = useAsked();
  return (
    <Form
      submit="Continue"
      explain={explain}
      onSubmit={async (values) => {
        const path = { user_code: values.text('user_code').trim() };
        onFound(await write(getDeviceAuthorization, { path }));
      }}
    >
      <TextField
        name="user_code"
        label="Code"
        help="Eight letters, as your terminal shows them."
        defaultValue={given ?? ''}
        maxLength={20}
        autoComplete="off"
        required
        autoFocus
      />
    </Form>
  );
}

type Props = { asked: OpenDeviceAuthorization; onAnswer: (answer: 'approved' | 'denied') => void };

function Answer({ asked, onAnswer }: Props) {
  const { user_code, client_name, requested_from, created_at } = asked;
  const name = client_name ?? 'Command line';
  const { fields, read } = useTokenTerms({ name, scopes: webhooks, onePartner: true });
  const { run, isRunning } = useWrite();
  const path = { user_code };
  const deny = () => run(denyDeviceAuthorization, { path }, { leave: async () => onAnswer('denied') });
  return (
    <>
      <Facts>
        <Fact name="Code">
          <code>{user_code}</code>
        </Fact>
        <Fact name="Calls itself">{client_name ?? 'nothing'}</Fact>
        <Fact name="Asks from">{requested_from}</Fact>
        <Fact name="Asked" at={created_at} />
      </Facts>
      <Form
        submit="Give it this token"
        isWide
        explain={explain}
        beside={
          <Button look="danger" isBusy={isRunning} onClick={() => void deny()}>
            Deny
          </Button>
        }
        onSubmit={async (values) => {
          await write(approveDeviceAuthorization, { path, body: read(values) });
          onAnswer('approved');
        }}
      >
        {fields}
      </Form>
    </>
  );
}
