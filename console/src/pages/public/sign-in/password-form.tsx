// The first step of a sign-in: address and password.
import { signIn } from '@concord/client';
import { client } from '#api/client.ts';
import { isCode } from '#api/read.ts';
import { PasswordField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { EmailField } from '../fields.tsx';
import { signInProblems } from '../messages.ts';

type Props = {
  /** An invitation is for one address. */
  email?: string;
  /** `password`: for a second factor that is set up right after. */
  onDone: (password: string) => unknown;
  onNeedsCode: (password: string) => void;
  onWrong?: () => void;
  onEmail?: (email: string) => void;
};

export function PasswordForm({ email, onDone, onNeedsCode, onWrong, onEmail }: Props) {
  return (
    <Form
      submit="Sign in"
      explain={signInProblems}
      onSubmit={async (values) => {
        const password = values.text('password');
        try {
          const answer = await signIn({ client, body: { email: values.text('email').trim(), password } });
          if (answer.twoFactorRedirect) onNeedsCode(password);
          // The form waits, so that nobody signs in twice.
          else await onDone(password);
        } catch (error) {
          if (isCode(error, 'invalid_credentials')) onWrong?.();
          throw error;
        }
      }}
    >
      {email === undefined ? (
        <EmailField
          autoComplete="username webauthn"
          autoFocus
          onBlur={({ target }) => onEmail?.(target.value.trim())}
        />
      ) : (
        <EmailField value={email} readOnly />
      )}
      <PasswordField name="password" label="Password" required />
    </Form>
  );
}
