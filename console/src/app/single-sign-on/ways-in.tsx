// Signs in with the identity provider of a partner, or breaks the glass.
import { getBreakGlass, proveSignIn } from '@concord/client';
import { lazy, Suspense } from 'react';
import { useRead } from '#api/read.ts';
import { Button } from '#ui/button.tsx';
import { DialogButton } from '#ui/dialog/dialog.tsx';
import { Row } from '#ui/layout/page.tsx';
import { usePartner } from '../address.ts';
import { useLeave } from '../leave.ts';
import { useAccess } from '../session.ts';

// Few people use it.
const BreakGlass = lazy(async () => ({ default: (await import('./break-glass.tsx')).BreakGlass }));

export function SignInAtProvider() {
  const partner = usePartner();
  const { isLeaving, leave } = useLeave();
  return (
    <Button
      look="primary"
      isBusy={isLeaving}
      onClick={() =>
        leave(
          proveSignIn,
          { body: { partner_id: partner } },
          window.location.pathname.replace(/^\/console/, '') + window.location.search,
        )
      }
    >
      Sign in with the identity provider
    </Button>
  );
}

type Props = { onBroken?: (() => void) | undefined };

export function WaysIn({ onBroken }: Props) {
  const { agreement, partner } = useAccess();
  // Only owners are asked for: the others would be refused, and each refusal is recorded.
  const may = useRead(getBreakGlass, { path: { id: partner } }, { enabled: agreement?.owner === true });
  return (
    <Row>
      <SignInAtProvider />
      {may.data?.data.allowed && (
        <DialogButton
          dialog={(onClose) => (
            <Suspense>
              <BreakGlass onClose={onClose} onBroken={onBroken} />
            </Suspense>
          )}
        >
          Use break glass…
        </DialogButton>
      )}
    </Row>
  );
}
