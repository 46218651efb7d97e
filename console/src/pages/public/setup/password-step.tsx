// Step 1: the password of the first operator.
import { setUp } from '@concord/client';
import { client } from '#api/client.ts';
import { queryClient } from '#api/query-client.ts';
import { Form } from '#ui/form/form.tsx';
import { Section } from '#ui/layout/page.tsx';
import { NewPasswordField } from '../new-password-field.tsx';
import { useProgress } from './steps.ts';

export function PasswordStep({ token, onSet }: { token: string; onSet: (password: string) => void }) {
  const progress = useProgress();
  return (
    <Section
      title="Choose your password"
      about="You are the first operator: you may do everything, with every partner."
    >
      <Form
        submit="Set the password"
        explain={{
          invalid_token:
            'This link does not work any more. Start Concord again, and open the link that it prints then.',
          rate_limited: 'That was tried too many times. Wait a quarter of an hour.',
        }}
        onSubmit={async (values) => {
          const password = values.text('password');
          await setUp({ client, body: { token, password } });
          onSet(password);
          await queryClient.resetQueries();
          progress.to('factor');
        }}
      >
        <NewPasswordField autoFocus />
      </Form>
    </Section>
  );
}
