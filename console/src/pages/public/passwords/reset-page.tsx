// A link of a mail: set a new password.
import { checkPasswordReset, resetPassword } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isCode, useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { fragmentPart } from '#app/link-fragment.ts';
import { Skeleton } from '#ui/feedback/feedback.tsx';
import { Form } from '#ui/form/form.tsx';
import { Page } from '#ui/layout/page.tsx';
import { NewPasswordField } from '../fields.tsx';
import { Done, NoToken } from '../links/link-page.tsx';
import { deadLink } from '../messages.ts';

const title = 'Set a new password';

export function ResetPage() {
  const [isDone, setDone] = useState(false);
  const [isSent, setSent] = useState(false);
  const token = fragmentPart('token');
  const check = useRead(checkPasswordReset, { body: { token } }, { enabled: token !== '' && !isDone });
  // First: the link is dead now, and a check that was read again since says so.
  if (isDone) {
    return (
      <Done title="Your new password is set">
        <p>You can sign in with it now.</p>
      </Done>
    );
  }
  // What was sent can have ended the link, and the form says what became of it.
  const isDead = !isSent && isCode(check.error, 'invalid_token');
  if (token === '' || isDead) {
    return (
      <NoToken {...(isDead ? { title: 'This link does not work any more', about: deadLink } : { title })}>
        <p>
          <Link to="/forgot">Ask for a new mail</Link>
        </p>
      </NoToken>
    );
  }
  if (check.isPending) return <Skeleton />;
  return (
    <Page title={title} about="It ends every session and every access token of your account.">
      <Form
        submit="Set the password"
        explain={{
          invalid_token: deadLink,
          answer_lost:
            'Concord did not answer, so the new password may already be set. Try to sign in with it.',
        }}
        onSubmit={async (values) => {
          const body = { token, newPassword: values.text('newPassword') };
          setSent(true);
          await write(resetPassword, { body }, { keepsCache: true });
          setDone(true);
        }}
      >
        <NewPasswordField name="newPassword" label="New password" autoFocus />
      </Form>
    </Page>
  );
}
