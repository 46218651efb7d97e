// How an invitation is answered: sign up or sign in with its address, a second factor where it asks for one,
// then accept or decline.
import { acceptInvitation, declineInvitation, getMe, type Invitation, type Me } from '@concord/client';
import { useState } from 'react';
import { queryClient } from '#api/query-client.ts';
import { useRead } from '#api/read.ts';
import { useRun } from '#api/run.ts';
import { readAgain, write } from '#api/write.ts';
import { personOf } from '#app/me.ts';
import { EnrolSecondFactor } from '#app/second-factor/enrol.tsx';
import { needsFactor, proveFactor } from '#app/second-factor/ways.ts';
import { useSignOut } from '#app/sign-out.ts';
import { StepUpDialog } from '#app/step-up-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { ConfirmButton } from '#ui/dialog/dialog.tsx';
import { Banner, Problem, Unread } from '#ui/feedback/feedback.tsx';
import { Row, Section } from '#ui/layout/page.tsx';
import { Part } from '#ui/layout/part.tsx';
import { enterConsole } from '../enter-console.ts';
import { Join } from './join.tsx';
import { answerProblems } from './messages.ts';

type Props = { invitation: Invitation; token: string; onDeclined: () => void };

export function Answer({ invitation, token, onDeclined }: Props) {
  const me = useRead(getMe, {});
  /** Kept while this page is open, for a second factor that is set up right after the sign-in. */
  const [password, setPassword] = useState<string>();
  const { isBusy, failure, run } = useRun();
  /** The person has done something here, so what is shown next gets the focus. */
  const [isUnderWay, setUnderWay] = useState(false);
  const person = personOf(me);
  if (person === undefined) return <Unread query={me} lines={3} />;
  if (person === null) {
    return (
      <Join
        invitation={invitation}
        token={token}
        onSignedIn={(given) => {
          setPassword(given);
          setUnderWay(true);
          void readAgain();
        }}
      />
    );
  }
  if (person.email.toLowerCase() !== invitation.email.toLowerCase()) {
    return <WrongAccount signedInAs={person.email} invited={invitation.email} />;
  }
  const lacksFactor = needsFactor(invitation, person);
  const buttons = { invitation, token, me: person, isBusy, run, onDeclined };
  return (
    <Part
      key={String(lacksFactor)}
      label={lacksFactor ? 'Second factor' : 'Your answer'}
      isLater={isUnderWay}
    >
      <StepUpDialog />
      {failure && <Problem error={failure} explain={answerProblems} />}
      {lacksFactor ? (
        <Section
          title="First, a second factor"
          about="This access requires one. You need an authenticator app on your phone."
        >
          <EnrolSecondFactor
            password={password}
            onDone={() => {
              setUnderWay(true);
              void readAgain();
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

function WrongAccount({ signedInAs, invited }: { signedInAs: string; invited: string }) {
  const { isRunning, signOut } = useSignOut();
  return (
    <Banner tone="warning" title="You are signed in with another address">
      <p>
        You are {signedInAs}. The invitation is for {invited}, and only that account can answer it.
      </p>
      <div>
        <Button
          isBusy={isRunning}
          onClick={async () => {
            await signOut();
            // Nothing that the other person read stays. The page, and with it the token of the link, does.
            await queryClient.resetQueries();
          }}
        >
          Sign out and go on
        </Button>
      </div>
    </Banner>
  );
}

type ButtonsProps = Props & Omit<ReturnType<typeof useRun>, 'failure'> & { me: Me; canAccept: boolean };

function Buttons({ invitation, token, me, canAccept, isBusy, run, onDeclined }: ButtonsProps) {
  const request = { path: { agreement_id: invitation.id }, headers: { 'invitation-token': token } };

  async function accept() {
    if (!(await proveFactor(invitation, me))) return;
    await write(acceptInvitation, { ...request }, { keepsCache: true });
    await enterConsole(`/p/${invitation.partner.id}`);
  }

  return (
    <Row>
      {canAccept && (
        <Button look="primary" isBusy={isBusy} onClick={() => void run(accept)}>
          Accept the invitation
        </Button>
      )}
      <ConfirmButton
        button="Decline"
        look={canAccept ? 'secondary' : 'plain'}
        title={`Decline the invitation to ${invitation.partner.name}?`}
        confirm="Decline the invitation"
        onConfirm={async () => {
          await write(declineInvitation, { ...request }, { keepsCache: true });
          onDeclined();
        }}
      >
        The invitation is deleted. To join later you need a new one.
      </ConfirmButton>
    </Row>
  );
}
