// Signs in with the identity provider of a partner, or breaks the glass.
import { getBreakGlass, proveSignIn } from '@concord/client';
import { lazy, Suspense, useState } from 'react';
import { useRead } from '../../api/read.ts';
import { keepReturn } from '../../api/return-path.ts';
import { useWrite } from '../../api/write.ts';
import { Button } from '../../ui/button/button.tsx';
import { Row } from '../../ui/layout/page.tsx';
import { useAccess } from '../session.ts';

// Few people use it.
const BreakGlass = lazy(async () => ({ default: (await import('./break-glass.tsx')).BreakGlass }));

export function SignInAtProvider({ partner }: { partner: string }) {
  const { isRunning, run } = useWrite();
  return (
    <Button
      look="primary"
      isBusy={isRunning}
      onClick={async () => {
        const answer = await run((client) => proveSignIn({ client, body: { partner_id: partner } }), {
          keepsCache: true,
        });
        if (answer === undefined) return;
        keepReturn(window.location.pathname.replace(/^\/console/, '') + window.location.search);
        window.location.assign(answer.url);
      }}
    >
      Sign in with the identity provider
    </Button>
  );
}

type Props = { partner: string; onBroken?: () => void };

export function WaysIn({ partner, onBroken }: Props) {
  const { agreement } = useAccess(partner);
  const [isBreaking, setBreaking] = useState(false);
  // Only owners are asked for: the others would be refused, and each refusal is recorded.
  const may = useRead(getBreakGlass, { path: { id: partner } }, { enabled: agreement?.owner === true });
  return (
    <Row>
      <SignInAtProvider partner={partner} />
      {may.data?.data.allowed && <Button onClick={() => setBreaking(true)}>Use break glass…</Button>}
      <Suspense>
        {isBreaking && (
          <BreakGlass partner={partner} onClose={() => setBreaking(false)} {...(onBroken && { onBroken })} />
        )}
      </Suspense>
    </Row>
  );
}
