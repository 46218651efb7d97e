// Step 2: the second factor of the operator.
import type { Me } from '@concord/client';
import { queryClient } from '#api/query-client.ts';
import { EnrolSecondFactor } from '#app/second-factor/enrol.tsx';
import { Section } from '#ui/layout/page.tsx';
import { Status } from '#ui/text/text.tsx';
import { Next, Skip } from './next-button.tsx';
import { useProgress } from './steps.ts';

export function FactorStep({ me, password }: { me: Me; password: string | undefined }) {
  const progress = useProgress();
  if (me.two_factor_enabled) {
    return (
      <Section title="Set up a second factor">
        <Status tone="good">Your second factor is on.</Status>
        <Next to="mail">Go on to mail</Next>
      </Section>
    );
  }
  return (
    <Section
      title="Set up a second factor"
      about={`From now on you sign in as ${me.email}. An operator may do everything, so a password alone is not enough. You need an authenticator app on your phone.`}
    >
      <EnrolSecondFactor
        password={password}
        beside={<Skip to="mail" />}
        onDone={() => {
          void queryClient.invalidateQueries();
          progress.to('mail');
        }}
      />
    </Section>
  );
}
