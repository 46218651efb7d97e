// How an invitation is answered: sign up or sign in with its address, a second factor where it asks for one,
// then accept or decline.
import { type ConcordError, getMe, type Invitation, type Me } from '@concord/client';
import { useState } from 'react';
import { queryClient } from '#api/query-client.ts';
import { useRead } from '#api/read.ts';
import { EnrolSecondFactor } from '#app/second-factor/enrol.tsx';
import { StepUpDialog } from '#app/step-up-dialog.tsx';
import { Skeleton } from '#ui/feedback/loaded.tsx';
import { Problem } from '#ui/feedback/problem.tsx';
import { Section } from '#ui/layout/page.tsx';
import { Part } from '#ui/layout/part.tsx';
import { Buttons } from './buttons.tsx';
import { Join } from './join.tsx';
import { answerProblems } from './messages.ts';
import { WrongAccount } from './wrong-account.tsx';

type Props = { invitation: Invitation; token: string; onDeclined: () => void };

export function Answer({ invitation, token, onDeclined }: Props) {
  const me = useRead(getMe, {});
  /** Kept while this page is open, for a second factor that is set up right after the sign-in. */
  const [password, setPassword] = useState<string>();
  const [failure, setFailure] = useState<ConcordError | null>(null);
  /** The person has done something here, so what is shown next gets the focus. */
  const [isUnderWay, setUnderWay] = useState(false);
  if (me.isPending) return <Skeleton lines={3} />;
  const person = me.error === null ? me.data?.data : undefined;
  if (person === undefined) {
    return (
      <Join
        invitation={invitation}
        token={token}
        onSignedIn={(given) => {
          setPassword(given);
          setUnderWay(true);
          void queryClient.invalidateQueries();
        }}
      />
    );
  }
  if (person.email.toLowerCase() !== invitation.email.toLowerCase()) {
    return <WrongAccount signedInAs={person.email} invited={invitation.email} />;
  }
  const needsFactor = needsSecondFactor(invitation, person);
  const buttons = { invitation, token, me: person, onDeclined, onFailure: setFailure };
  return (
    <Part
      key={String(needsFactor)}
      label={needsFactor ? 'Second factor' : 'Your answer'}
      isLater={isUnderWay}
    >
      <StepUpDialog />
      {failure && <Problem error={failure} explain={answerProblems} />}
      {needsFactor ? (
        <Section
          title="First, a second factor"
          about="This access requires one. You need an authenticator app on your phone."
        >
          <EnrolSecondFactor
            password={password}
            onDone={() => {
              setUnderWay(true);
              void queryClient.invalidateQueries();
            }}
            beside={<Buttons {...buttons} canAccept={false} />}
          />
        </Section>
      ) : (
        <Buttons {...buttons} canAccept />
      )}
    </Part>
  );
}

/** Operators are not bound by it (rule A22). */
const needsSecondFactor = ({ mfa_required }: Invitation, { two_factor_enabled, role }: Me): boolean =>
  mfa_required && !two_factor_enabled && role !== 'operator';
