// What a session lacks without the proof of the identity provider, and the ways in: above the page, and over a form.
import { useEffect } from 'react';
import { Dialog } from '#ui/dialog/dialog.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { useAccess } from '../session.ts';
import { WaysIn } from './ways-in.tsx';

const about =
  'This session has no proof of such a sign-in, or it is too old. Sign in there, and come back here.';

function useTitle(): string {
  const { agreement } = useAccess();
  return `${agreement?.partner.name ?? 'This partner'} requires a sign-in with its identity provider`;
}

export function SignInBanner() {
  return (
    <Banner tone="warning" title={useTitle()}>
      <p>{about}</p>
      <WaysIn />
    </Banner>
  );
}

type Props = {
  /** Undefined: this page is of no partner, so nothing can be proven here. */
  partner: string | undefined;
  onAnswer: (isProven: boolean) => void;
};

export function SignInDialog({ partner, onAnswer }: Props) {
  useEffect(() => {
    if (partner === undefined) onAnswer(false);
  }, [partner, onAnswer]);
  return partner === undefined ? null : <Ask onAnswer={onAnswer} />;
}

function Ask({ onAnswer }: Pick<Props, 'onAnswer'>) {
  return (
    <Dialog title={useTitle()} description={about} onClose={() => onAnswer(false)} staysOpen>
      <WaysIn onBroken={() => onAnswer(true)} />
    </Dialog>
  );
}
