// What a session lacks without the proof of the identity provider, and the ways in: above the page, and over a form.
import { useEffect } from 'react';
import { signInNeeded } from '../../messages/single-sign-on.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { useAccess } from '../session.ts';
import { WaysIn } from './ways-in.tsx';

function useTitle(partner: string): string {
  const { agreement } = useAccess(partner);
  return signInNeeded.title(agreement?.partner.name ?? signInNeeded.strange);
}

export function SignInBanner({ partner }: { partner: string }) {
  return (
    <Banner tone="warning" title={useTitle(partner)}>
      <p>{signInNeeded.about}</p>
      <WaysIn partner={partner} />
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
  return partner === undefined ? null : <Ask partner={partner} onAnswer={onAnswer} />;
}

function Ask({ partner, onAnswer }: { partner: string } & Pick<Props, 'onAnswer'>) {
  return (
    <Dialog
      title={useTitle(partner)}
      description={signInNeeded.about}
      onClose={() => onAnswer(false)}
      staysOpen
    >
      <WaysIn partner={partner} onBroken={() => onAnswer(true)} />
    </Dialog>
  );
}
