// The first start: from the printed link to a delivered test event. Where it stands is in the URL and in the
// service, so a reload loses nothing.
import { getMe, type Me } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { fragment } from '#app/link-fragment.ts';
import { StepUpDialog } from '#app/step-up-dialog.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { Skeleton } from '#ui/feedback/loaded.tsx';
import { Page } from '#ui/layout/page.tsx';
import { Part } from '#ui/layout/part.tsx';
import { AddressCheck } from './address-check.tsx';
import { EndpointStep } from './endpoint-step.tsx';
import { FactorStep } from './factor-step.tsx';
import { MailStep } from './mail-step.tsx';
import { PartnerStep } from './partner-step.tsx';
import { PasswordStep } from './password-step.tsx';
import css from './setup.module.css';
import { type Step, steps, useProgress } from './steps.ts';
import { TestStep } from './test-step.tsx';

export function SetupPage() {
  const me = useRead(getMe, {});
  const { step } = useProgress();
  /** Kept while this page is open, so that the second step does not ask for it again. */
  const [password, setPassword] = useState<string>();
  if (me.isPending) return <Skeleton lines={8} />;
  const person = me.error === null ? me.data?.data : undefined;
  const current: Step = person === undefined ? 'password' : step;
  const index = steps.findIndex(({ id }) => id === current);
  const name = steps[index]?.name;
  return (
    <Page title="Set up Concord" about="Six steps, about five minutes. Each but the first can be skipped.">
      <AddressCheck isFirst={current === 'password'} />
      <div className={css.wizard} data-wide>
        <ol className={css.steps}>
          {steps.map((each, at) => (
            <li key={each.id} aria-current={each.id === current ? 'step' : undefined}>
              {at + 1}. {each.name}
            </li>
          ))}
        </ol>
        <Part key={current} label={`Step ${index + 1} of ${steps.length}: ${name}`} isLater={index > 0}>
          {person === undefined ? (
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
