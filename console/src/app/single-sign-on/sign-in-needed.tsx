// What a session lacks without the proof of the identity provider, and the ways in: above the page, and over a form.
import { useEffect } from 'react';
import { Dialog } from '#ui/dialog/dialog.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { useAccess } from '../session.ts';
import { WaysIn } from './ways-in.tsx';

const about =
  'This session has no proof of such a sign-in, or it is too old. Sign in there, and come back here.';

function useTitle(partner: string): string {
  const { agreement } = useAccess(partner);
  return `${agreement?.partner.name ?? 'This partner'} requires a sign-in with its identity provider`;
}

export function SignInBanner({ partner }: { partner: string }) {
  return (
    <Banner tone="warning" title={useTitle(partner)}>
      <p>{about}</p>
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
    <Dialog title={useTitle(partner)} description={about} onClose={() => onAnswer(false)} staysOpen>
      <WaysIn partner={partner} onBroken={() => onAnswer(true)} />
    </Dialog>
  );
}
