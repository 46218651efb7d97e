// A link of a mail: confirm an e-mail address, after a sign-up or a change. Without a link the mail can be
// sent again.
import { getMe, sendVerificationEmail, verifyEmail } from '@concord/client';
import { useState } from 'react';
import { client } from '#api/client.ts';
import { isCode, useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { fragmentPart } from '#app/link-fragment.ts';
import { MailSent } from '#app/mail-place.tsx';
import { Skeleton } from '#ui/feedback/feedback.tsx';
import { PasswordField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { Page } from '#ui/layout/page.tsx';
import { EmailField } from '../fields.tsx';
import { deadLink } from '../messages.ts';
import { Done } from './link-page.tsx';

const title = 'Confirm your e-mail address';

export function VerifyPage() {
  const token = fragmentPart('token');
  return token === '' ? <SendAgain /> : <Confirm token={token} />;
}

function Confirm({ token }: { token: string }) {
  const me = useRead(getMe, {});
  const [isDone, setDone] = useState(false);
  /** The session that asked for a new address needs none. */
  const [needsPassword, setNeedsPassword] = useState(false);
  const asks = needsPassword || me.data === undefined;
  if (isDone) {
    return (
      <Done title="Your address is confirmed">
        <p>You can sign in with it now.</p>
      </Done>
    );
  }
  if (me.isPending) return <Skeleton />;
  return (
    <Page
      title={title}
      about={
        asks
          ? 'Enter your password, so that nobody else can confirm it.'
          : 'It becomes the address of your account.'
      }
    >
      <Form
        submit="Confirm the address"
        explain={{
          invalid_token: deadLink,
          answer_lost:
            'Concord did not answer, so the address may already be confirmed. Try to sign in with it.',
          invalid_password: 'The password is wrong. After ten wrong ones the link ends.',
        }}
        onSubmit={async (values) => {
          const password = values.text('password');
          try {
            const body = { token, ...(password !== '' && { password }) };
            await write(verifyEmail, { body }, { keepsCache: true });
            setDone(true);
          } catch (error) {
            if (asks || !isCode(error, 'invalid_request', 'invalid_password')) throw error;
            setNeedsPassword(true);
          }
        }}
      >
        {asks && (
          <PasswordField
            name="password"
            label="Password"
            help="After a sign-up: the one that you chose then. For a new address: the current one of your account."
            required
            autoFocus
          />
        )}
      </Form>
    </Page>
  );
}

function SendAgain() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <Page title={title} about="Open the link in the mail that you got. If it is lost, have it sent again.">
      {sentTo !== null && (
        <MailSent>
          If a sign-up of {sentTo} waits for its confirmation, the mail is on its way again.
        </MailSent>
      )}
      <Form
        submit="Send the mail again"
        onSubmit={async (values) => {
          const email = values.text('email').trim();
          await sendVerificationEmail({ client, body: { email } });
          setSentTo(email);
        }}
      >
        <EmailField autoFocus />
      </Form>
    </Page>
  );
}
