// Passkeys, password, second factor, and the providers with which you sign in.
import { AccountPage } from '../account-page.tsx';
import { LinkedAccounts } from './linked-accounts.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
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
