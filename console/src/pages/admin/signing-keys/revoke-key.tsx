// Asks before a key is revoked, with what stops verifying.
import { revokeSigningKey, type SigningKey } from '@concord/client';
import { write } from '#api/write.ts';
import { environments } from '#messages/webhooks.ts';
import { Confirm } from '#ui/dialog/confirm.tsx';

const follows: Readonly<Record<'pending' | 'active' | 'retired', string>> = {
  pending: 'It has signed nothing yet. Concord publishes another key in its place.',
  active:
    'The next key signs from now on. Receivers whose cache does not have it yet refuse webhooks until they read the keys again.',
  retired: 'It no longer signs. Requests of the last weeks that it signed no longer verify.',
};

export function RevokeKey({
  signingKey: { kid, environment, state },
  onClose,
}: {
  signingKey: SigningKey;
  onClose: () => void;
}) {
  return (
    <Confirm
      title={`Revoke the ${environments[environment].toLowerCase()} key ${kid}?`}
      confirm="Revoke the key"
      onClose={onClose}
      onConfirm={() => write(revokeSigningKey, { path: { kid } }, { done: 'The key is revoked' })}
    >
      <p>Do this if somebody else may have the private key. To change a key without need, rotate it.</p>
      <p>
        The key is removed from the published keys at once, and nothing that it signed counts any more.{' '}
        {state in follows && follows[state as keyof typeof follows]}
      </p>
      <p>
        Receivers keep the published keys for up to an hour, and for a further day while Concord cannot be
        reached. Until then they may still trust this key.
      </p>
    </Confirm>
  );
}
