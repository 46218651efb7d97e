// Forgotten password: asks for a mail with a link.
import { requestPasswordReset } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '#api/client.ts';
import { MailSent } from '#app/mail-place.tsx';
import { Button } from '#ui/button.tsx';
import { Form } from '#ui/form/form.tsx';
import { Page } from '#ui/layout/page.tsx';
import { EmailField } from '../fields.tsx';

export function ForgotPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null) {
    return (
      <Page title="Check your mail">
        <MailSent>
          If {sentTo} has an account here, a mail with a link is on its way. The link works once, for an hour.
        </MailSent>
        <div>
          <Button onClick={() => setSentTo(null)}>Use another address</Button>
        </div>
        <BackToSignIn />
      </Page>
    );
  }
  return (
    <Page title="Forgotten password" about="We send you a link with which you set a new one.">
      <Form
        submit="Send the link"
        onSubmit={async (values) => {
          const email = values.text('email').trim();
          await requestPasswordReset({ client, body: { email } });
          setSentTo(email);
        }}
      >
        <EmailField autoFocus />
      </Form>
      <BackToSignIn />
    </Page>
  );
}

const BackToSignIn = () => (
  <p>
    <Link to="/sign-in">Back to the sign-in</Link>
  </p>
);
