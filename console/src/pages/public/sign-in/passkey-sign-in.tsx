// Sign in with a passkey: by a button, or from the autofill of the address.
import { beginPasskeySignIn, type PasskeyProof, signInWithPasskey } from '@concord/client';
import { useEffect, useEffectEvent } from 'react';
import { client } from '#api/client.ts';
import { PasskeyButton } from '#app/passkeys/passkey-button.tsx';
import { canAutofill, signWithPasskey, stopWaiting } from '#app/passkeys/passkeys.ts';

const ask = () => beginPasskeySignIn({ client });
/** A challenge lasts five minutes, and the page may be open for longer. */
const renewMs = 4 * 60_000;

export function PasskeySignIn({ onDone }: { onDone: () => unknown }) {
  async function complete(body: PasskeyProof) {
    await signInWithPasskey({ client, body });
    await onDone();
  }
  async function offer() {
    try {
      if (await canAutofill()) await complete(await signWithPasskey(await ask(), { fromAutofill: true }));
    } catch {
      // Nobody asked for this. The button says what is wrong.
    }
  }
  const offerAgain = useEffectEvent(() => void offer());
  useEffect(() => {
    offerAgain();
    const renewing = setInterval(() => offerAgain(), renewMs);
    return () => {
      clearInterval(renewing);
      void stopWaiting();
    };
  }, []);
  return (
    <PasskeyButton
      label="Sign in with a passkey"
      ask={ask}
      onProof={complete}
      onFailure={() => void offer()}
    />
  );
}
