// A button that signs with a passkey.
import type { PasskeyProof, PasskeyRequest } from '@concord/client';
import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Banner } from '#ui/feedback/feedback.tsx';
import { Stack } from '#ui/layout/page.tsx';
import { describeProblem, signWithPasskey } from './passkeys.ts';

type Props = {
  label: string;
  look?: 'primary' | 'secondary';
  /** Asks for the challenge when the button is pressed: it lasts five minutes. */
  ask: () => Promise<PasskeyRequest>;
  onProof: (proof: PasskeyProof) => Promise<unknown>;
  /** Nothing was proven. */
  onFailure?: () => void;
};

export function PasskeyButton({ label, look = 'secondary', ask, onProof, onFailure }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  async function run() {
    setBusy(true);
    setProblem(null);
    try {
      await onProof(await signWithPasskey(await ask()));
    } catch (error) {
      setProblem(describeProblem(error));
      onFailure?.();
    } finally {
      setBusy(false);
    }
  }
  return (
    <Stack>
      {problem !== null && <Banner tone="bad">{problem}</Banner>}
      <Button look={look} isBusy={isBusy} onClick={() => void run()}>
        {label}
      </Button>
    </Stack>
  );
}
