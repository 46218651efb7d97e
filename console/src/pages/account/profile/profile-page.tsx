// Your account: name, address, your data, and its end.
import {
  changeEmail,
  deleteOwnUser,
  exportPersonalData,
  listAccessTokens,
  listOwnAgreements,
  updateMe,
} from '@concord/client';
import { useState } from 'react';
import { download } from '#api/download.ts';
import { useRead } from '#api/read.ts';
import { useWrite, write } from '#api/write.ts';
import { MailSent } from '#app/mail-place.tsx';
import { useMe } from '#app/session.ts';
import { formatCount } from '#format/numbers.ts';
import { Button } from '#ui/button.tsx';
import { Dialog, DialogButton } from '#ui/dialog/dialog.tsx';
import { PasswordField, TextField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { Columns, Section } from '#ui/layout/page.tsx';
import { AccountPage } from '../account-page.tsx';

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

function Export() {
  const { isRunning, run } = useWrite();
  return (
    <Section
      title="Your data"
      about="One JSON file: profile, linked accounts, sessions, tokens, agreements, invitations, waiting mails, and what the audit log says about you."
    >
      <div>
        <Button
          isBusy={isRunning}
          onClick={async () => {
            const data = await run(exportPersonalData, {}, { keepsCache: true });
            if (data !== undefined)
              download('concord-personal-data.json', JSON.stringify(data, null, 2), 'application/json');
          }}
        >
          Download my data
        </Button>
      </div>
    </Section>
  );
}

function DeleteAccount() {
  return (
    <Section
      title="Delete your account"
      about="Your name and addresses are erased everywhere. It cannot be undone."
    >
      <div>
        <DialogButton dialog={(onClose) => <DeleteDialog onClose={onClose} />}>
          Delete your account…
        </DialogButton>
      </div>
    </Section>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const me = useMe();
  const agreements = useRead(listOwnAgreements, {});
  const tokens = useRead(listAccessTokens, {});
  const going = (agreements.data?.data ?? []).filter(
    ({ expires_at }) => !expires_at || Date.parse(expires_at) > Date.now(),
  ).length;
  const [isMailed, setMailed] = useState(false);
  return (
    <Dialog
      title={`Delete the account ${me.email}?`}
      onClose={onClose}
      staysOpen
      description={
        <ul>
          {going > 0 && (
            <li>{formatCount(going, 'agreement or invitation ends', 'agreements and invitations end')}.</li>
          )}
          {tokens.data !== undefined && tokens.data.data.length > 0 && (
            <li>
              {formatCount(tokens.data.data.length, 'access token stops', 'access tokens stop')} working.
            </li>
          )}
          <li>The audit log keeps what you did, under an id, without your name and addresses.</li>
          <li>It cannot be undone.</li>
        </ul>
      }
    >
      {isMailed ? (
        <MailSent>
          A mail with a link is on its way to {me.email}. Your account is there until you confirm.
        </MailSent>
      ) : (
        <Form
          submit="Delete my account"
          look="danger"
          beside={<Button onClick={onClose}>Cancel</Button>}
          onSubmit={async (values) => {
            const password = values.text('password');
            await write(deleteOwnUser, { body: password === '' ? {} : { password } }, { keepsCache: true });
            if (password === '') setMailed(true);
            else window.location.assign('/console/sign-in');
          }}
        >
          <PasswordField
            name="password"
            label="Password"
            help="Without a password, we mail you a link that deletes the account."
          />
        </Form>
      )}
    </Dialog>
  );
}
