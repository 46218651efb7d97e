// Your account: name, address, your data, and its end.
import { changeEmail, updateMe } from '@concord/client';
import { useState } from 'react';
import { write } from '#api/write.ts';
import { MailSent } from '#app/mail-place.tsx';
import { useMe } from '#app/session.ts';
import { TextField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { Columns, Section } from '#ui/layout/page.tsx';
import { AccountPage } from '../account-page.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Export } from './export.tsx';

export function ProfilePage() {
  return (
    <AccountPage documentTitle="Your account">
      <Columns>
        <Name />
        <Address />
        <Export />
        <DeleteAccount />
      </Columns>
    </AccountPage>
  );
}

function Name() {
  const me = useMe();
  return (
    <Section title="Name" about="Shown to everybody who works with your partners, and in mails.">
      <Form
        key={me.name}
        submit="Save the name"
        look="secondary"
        onSubmit={(values) =>
          write(updateMe, { body: { name: values.text('name').trim() } }, { done: 'Your name is saved.' })
        }
      >
        <TextField
          name="name"
          label="Your name"
          defaultValue={me.name}
          autoComplete="name"
          maxLength={100}
          required
        />
      </Form>
    </Section>
  );
}

function Address() {
  const me = useMe();
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <Section title="E-mail address" about={`You sign in with ${me.email}.`}>
      <Form
        key={sentTo}
        submit="Send the confirmation mail"
        look="secondary"
        onSubmit={async (values) => {
          const newEmail = values.text('newEmail').trim();
          await write(changeEmail, { body: { newEmail } }, { keepsCache: true });
          setSentTo(newEmail);
        }}
      >
        <TextField
          name="newEmail"
          label="New address"
          help="It changes when you open the link in the mail that we send there. The old address gets a mail too."
          type="email"
          autoComplete="email"
          required
        />
      </Form>
      {sentTo !== null && (
        <MailSent>
          A mail is on its way to {sentTo}. Open its link within an hour: until then you sign in as before.
        </MailSent>
      )}
    </Section>
  );
}
