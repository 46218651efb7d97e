// Deletes the own account: at once with the password, or by a link in a mail without it.
import { deleteOwnUser, listAccessTokens, listOwnAgreements } from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { MailSent } from '#app/mail-place.tsx';
import { useMe } from '#app/session.ts';
import { formatCount } from '#format/numbers.ts';
import { Button } from '#ui/button/button.tsx';
import { Dialog } from '#ui/dialog/dialog.tsx';
import { DialogButton } from '#ui/dialog/dialog-button.tsx';
import { PasswordField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { Section } from '#ui/layout/page.tsx';
import { passwordProblems } from '../messages.ts';

const deletionProblems = {
  ...passwordProblems,
  last_operator: 'You are the last operator. Make another user an operator first.',
} as const;

export function DeleteAccount() {
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
          explain={deletionProblems}
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
