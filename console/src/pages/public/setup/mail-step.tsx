// Step 3: whether mails arrive. A mail to another address than the operator's own also makes it the own one.
import { changeEmail, type Me, requestPasswordReset } from '@concord/client';
import { useState } from 'react';
import { write } from '#api/write.ts';
import { MailSent } from '#app/mail-place.tsx';
import { TextField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { Section } from '#ui/layout/page.tsx';
import { Next, Skip } from './next-button.tsx';

export function MailStep({ me }: { me: Me }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <Section
      title="Check that mails arrive"
      about="Invitations, new passwords and warnings go out by mail. Put your own address here: you sign in with it after you open the link in the mail."
    >
      <Form
        submit={sentTo === null ? 'Send a mail' : 'Send another mail'}
        look={sentTo === null ? 'primary' : 'secondary'}
        beside={sentTo === null && <Skip to="partner" />}
        onSubmit={async (values) => {
          const email = values.text('newEmail').trim();
          const isOwn = email.toLowerCase() === me.email.toLowerCase();
          if (isOwn) await write(requestPasswordReset, { body: { email } }, { keepsCache: true });
          else await write(changeEmail, { body: { newEmail: email } }, { keepsCache: true });
          setSentTo(email);
        }}
      >
        <TextField
          name="newEmail"
          label="Your address"
          help={`Now it is ${me.email}.`}
          type="email"
          autoComplete="email"
          defaultValue={me.email}
          required
        />
      </Form>
      {sentTo !== null && (
        <>
          <MailSent>
            {sentTo.toLowerCase() === me.email.toLowerCase()
              ? `A mail about a new password is on its way to ${sentTo}. It is only a test: you need not open its link.`
              : `A mail is on its way to ${sentTo}. Open its link within an hour, then you sign in with this address.`}
          </MailSent>
          <Next to="partner" made={{ mail: 'sent' }}>
            Go on to the first partner
          </Next>
        </>
      )}
    </Section>
  );
}
