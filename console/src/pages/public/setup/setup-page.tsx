// The first start: from the printed link to a delivered test event. Where it stands is in the URL and in the
// service, so a reload loses nothing.
import { getMe, type Me, setUp } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '#api/query-client.ts';
import { useRead } from '#api/read.ts';
import { readAgain, write } from '#api/write.ts';
import { fragment } from '#app/link-fragment.ts';
import { personOf } from '#app/me.ts';
import { EnrolSecondFactor } from '#app/second-factor/enrol.tsx';
import { useSettings } from '#app/settings.ts';
import { StepUpDialog } from '#app/step-up-dialog.tsx';
import { Banner, Unread } from '#ui/feedback/feedback.tsx';
import { Form } from '#ui/form/form.tsx';
import { Page, Section } from '#ui/layout/page.tsx';
import { Part } from '#ui/layout/part.tsx';
import { Faint, Status } from '#ui/text/text.tsx';
import { NewPasswordField } from '../fields.tsx';
import { EndpointStep } from './endpoint-step.tsx';
import { MailStep } from './mail-step.tsx';
import { Next, Skip } from './next-button.tsx';
import { PartnerStep } from './partner-step.tsx';
import css from './setup.module.css';
import { type Step, steps, useProgress } from './steps.ts';
import { TestStep } from './test-step.tsx';

export function SetupPage() {
  const me = useRead(getMe, {});
  const { step, made } = useProgress();
  /** Kept while this page is open, so that the second step does not ask for it again. */
  const [password, setPassword] = useState<string>();
  const person = personOf(me);
  if (person === undefined) return <Unread query={me} lines={8} />;
  const current: Step = person === null ? 'password' : step;
  const index = steps.findIndex(({ id }) => id === current);
  const name = steps[index]?.name;
  const isDone = (id: Step): boolean =>
    id === 'password' || (id === 'factor' ? person?.two_factor_enabled === true : Boolean(made[id]));
  return (
    <Page title="Set up Concord" about="Six steps, about five minutes. Each but the first can be skipped.">
      <AddressCheck isFirst={current === 'password'} />
      <div className={css.wizard} data-wide>
        <ol className={css.steps}>
          {steps.map((each, at) => (
            <li key={each.id} aria-current={each.id === current ? 'step' : undefined}>
              {at + 1}. {each.name}
              {at < index && <small>{isDone(each.id) ? 'Done' : 'Skipped'}</small>}
            </li>
          ))}
        </ol>
        <Part key={current} label={`Step ${index + 1} of ${steps.length}: ${name}`} isLater={index > 0}>
          {person === null ? (
            <Start onSet={setPassword} />
          ) : (
            <Current me={person} step={step} password={password} />
          )}
        </Part>
      </div>
    </Page>
  );
}

function Start({ onSet }: { onSet: (password: string) => void }) {
  if (fragment !== '') return <PasswordStep token={fragment} onSet={onSet} />;
  return (
    <Banner tone="info" title="Open the printed link">
      <p>
        Concord prints a link when it starts, until an operator has signed in. Open it, or start Concord again
        to have a new one printed. If you are an operator already, <Link to="/sign-in">sign in</Link>.
      </p>
    </Banner>
  );
}

type CurrentProps = { me: Me; step: Exclude<Step, 'password'>; password: string | undefined };

function Current({ me, step, password }: CurrentProps) {
  if (me.role !== 'operator') {
    return (
      <Banner tone="warning" title="Only operators set Concord up">
        <p>
          You are signed in as {me.email}. <Link to="/">Go to your first page</Link>
        </p>
      </Banner>
    );
  }
  return (
    <>
      <StepUpDialog />
      {step === 'factor' && <FactorStep me={me} password={password} />}
      {step === 'mail' && <MailStep me={me} />}
      {step === 'partner' && <PartnerStep />}
      {step === 'endpoint' && <EndpointStep />}
      {step === 'test' && <TestStep />}
    </>
  );
}

/** `isFirst`: the step at which the address is worth a word when all is well. */
function AddressCheck({ isFirst }: { isFirst: boolean }) {
  const settings = useSettings();
  if (settings === null) return null;
  const { allowed, reason } = settings.cookie_sign_in;
  if (!allowed) {
    return (
      <Banner tone="bad" title="Nobody can sign in at this address">
        {reason}
      </Banner>
    );
  }
  if (new URL(settings.base_url).origin === window.location.origin) {
    if (!isFirst) return null;
    return (
      <p>
        <Faint>
          The address of Concord is <code>{settings.base_url}</code>. Set <code>CONCORD_BASE_URL</code> before
          others use it from elsewhere.
        </Faint>
      </p>
    );
  }
  return (
    <Banner tone="warning" title="This is not the address of Concord">
      <p>
        Concord is set up for <code>{settings.base_url}</code>, and this page is at{' '}
        <code>{window.location.origin}</code>. Open the printed link at that address, or set{' '}
        <code>CONCORD_BASE_URL</code> to this one and start Concord again.
      </p>
    </Banner>
  );
}

function FactorStep({ me, password }: { me: Me; password: string | undefined }) {
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
          void readAgain();
          progress.to('mail');
        }}
      />
    </Section>
  );
}

function PasswordStep({ token, onSet }: { token: string; onSet: (password: string) => void }) {
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
          answer_lost: 'Concord did not answer, so your password may already be set. Try to sign in with it.',
        }}
        onSubmit={async (values) => {
          const password = values.text('password');
          await write(setUp, { body: { token, password } }, { keepsCache: true });
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
