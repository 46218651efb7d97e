// Passkeys, password, second factor, and the providers with which you sign in.
import { changePassword } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { write } from '#api/write.ts';
import { CheckField, PasswordField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { Section } from '#ui/layout/page.tsx';
import { AccountPage } from '../account-page.tsx';
import { LinkedAccounts } from './linked-accounts.tsx';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor } from './second-factor.tsx';

export function AccountSignInPage() {
  return (
    <AccountPage documentTitle="Password and second factor">
      <SecondFactor />
      <Passkeys />
      <Password />
      <LinkedAccounts />
    </AccountPage>
  );
}

function Password() {
  const [changes, setChanges] = useState(0);
  return (
    <Section title="Password">
      <Form
        key={changes}
        submit="Change the password"
        look="secondary"
        beside={<Link to="/forgot">Forgot it?</Link>}
        onSubmit={async (values) => {
          const body = {
            currentPassword: values.text('currentPassword'),
            newPassword: values.text('newPassword'),
            revokeOtherSessions: values.isChecked('revokeOtherSessions'),
          };
          await write(changePassword, { body }, { done: 'Your password is changed.' });
          setChanges((count) => count + 1);
        }}
      >
        <PasswordField name="currentPassword" label="Current password" required />
        <PasswordField
          name="newPassword"
          label="New password"
          help="12 to 128 characters."
          minLength={12}
          isNew
          required
        />
        <CheckField
          name="revokeOtherSessions"
          defaultChecked
          label="End my other sessions and my access tokens"
          help="Keep this checked if somebody else may know the password."
        />
      </Form>
    </Section>
  );
}
