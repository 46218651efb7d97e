// Create an account without an invitation. A mail confirms the address first.
import { signUp } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '#api/client.ts';
import { MailSent } from '#app/mail-place.tsx';
import { TextField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { Page } from '#ui/layout/page.tsx';
import { EmailField, NewPasswordField } from '../fields.tsx';

export function SignUpPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null) {
    return (
      <Page title="Confirm your address">
        <MailSent>
          A mail is on its way to {sentTo}. Open its link within a day, and enter the password that you have
          just chosen.
        </MailSent>
        <p>
          <Link to="/verify">Send the mail again</Link>
        </p>
      </Page>
    );
  }
  return (
    <Page
      title="Create an account"
      about="With an invitation, open the link in its mail instead: it needs no second mail."
    >
      <Form
        submit="Create the account"
        onSubmit={async (values) => {
          const email = values.text('email').trim();
          await signUp({
            client,
            body: { name: values.text('name').trim(), email, password: values.text('password') },
          });
          setSentTo(email);
        }}
      >
        <TextField name="name" label="Your name" autoComplete="name" maxLength={100} required autoFocus />
        <EmailField />
        <NewPasswordField />
      </Form>
      <p>
        You have an account? <Link to="/sign-in">Sign in</Link>
      </p>
    </Page>
  );
}
