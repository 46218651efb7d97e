// Signing keys: which key signs the webhooks of each environment, which is next, and when.
import { listSigningKeys, revokeSigningKey, rotateSigningKey, type SigningKey } from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { formatExactTime } from '#format/time.ts';
import { environments } from '#messages/webhooks.ts';
import { Confirm, DialogButton } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { CheckField } from '#ui/form/field.tsx';
import { Page, Section } from '#ui/layout/page.tsx';
import { Table } from '#ui/table/table.tsx';
import { Id, Status, Time } from '#ui/text/text.tsx';
import { keyStates } from '../messages.ts';
import { KeyTimeline } from './key-timeline.tsx';
import { rotatesAt } from './key-times.ts';

type Environment = SigningKey['environment'];

export function SigningKeysPage() {
  const keys = useRead(listSigningKeys, {}, { live: true });
  return (
    <Page
      title="Signing keys"
      about="Concord changes its keys by itself, every 30 days. The next key is always published, so receivers know it before it signs."
    >
      <Loaded query={keys} lines={8}>
        {({ data }) =>
          (['live', 'sandbox'] as const).map((environment) => (
            <Keys
              key={environment}
              environment={environment}
              keys={data.filter((key) => key.environment === environment)}
            />
          ))
        }
      </Loaded>
    </Page>
  );
}

function Keys({ environment, keys }: { environment: Environment; keys: readonly SigningKey[] }) {
  const name = environments[environment];
  return (
    <Section
      title={name}
      action={
        keys.length > 0 && (
          <DialogButton
            dialog={(onClose) => <RotateKey environment={environment} keys={keys} onClose={onClose} />}
          >{`Rotate the ${name.toLowerCase()} key`}</DialogButton>
        )
      }
    >
      {keys.length === 0 ? (
        <Empty>There is no key yet. The first start makes it.</Empty>
      ) : (
        <>
          <KeyTimeline keys={keys} label={`The ${name.toLowerCase()} keys over time`} />
          <KeyTable keys={keys} label={`${name} keys`} />
        </>
      )}
    </Section>
  );
}

type TableProps = { keys: readonly SigningKey[]; label: string };
function KeyTable({ keys, label }: TableProps) {
  return (
    <Table
      label={label}
      rows={keys.toSorted((one, two) => two.activates_at.localeCompare(one.activates_at))}
      keyOf={({ kid }) => kid}
      columns={[
        { name: 'Key', cell: ({ kid }) => <Id id={kid} /> },
        { name: 'State', cell: ({ state }) => <Status {...keyStates[state]} /> },
        { name: 'Published', at: 'created_at', isSecondary: true },
        { name: 'Signs from', at: 'activates_at', isSecondary: true },
        {
          name: 'Signs until',
          cell: ({ retires_at, revoked_at }) => <Time at={revoked_at ?? retires_at} />,
          isSecondary: true,
        },
        { name: 'What it means', cell: ({ state }) => keyStates[state].about, isSpare: true },
      ]}
      actions={(key) =>
        key.state === 'removed' || key.state === 'revoked'
          ? []
          : [
              {
                label: 'Revoke the key',
                isDangerous: true,
                dialog: (onClose) => <RevokeKey signingKey={key} onClose={onClose} />,
              },
            ]
      }
    />
  );
}

type RotateProps = { environment: Environment; keys: readonly SigningKey[]; onClose: () => void };
function RotateKey({ environment, keys, onClose }: RotateProps) {
  const now = Date.now();
  const at = rotatesAt(keys, now);
  const name = environments[environment].toLowerCase();
  const [isImmediate, setImmediate] = useState(false);
  return (
    <Confirm
      title={`Rotate the ${name} key?`}
      confirm={`Rotate the ${name} key`}
      isDangerous={false}
      onClose={onClose}
      onConfirm={() =>
        write(
          rotateSigningKey,
          { body: { environment, immediately: isImmediate } },
          { done: ({ rotates_at }) => `The next ${name} key signs from ${formatExactTime(rotates_at)}` },
        )
      }
    >
      <p>
        {isImmediate
          ? 'The next key signs at once. A receiver whose copy is older than that key must read the keys again.'
          : at === null || at <= now
            ? 'The next key signs at once. It has been published for 48 hours already.'
            : `The next key signs from ${formatExactTime(new Date(at))}. By then it has been published for 48 hours, so every cache has it.`}
      </p>
      <p>
        The present key stops signing then, and stays published for 21 more days.
        {!isImmediate && ' Receivers notice nothing.'}
      </p>
      {environment === 'sandbox' && (
        <CheckField
          label="Sign with the next key at once"
          help="To test that a receiver reads the keys again."
          checked={isImmediate}
          onChange={({ currentTarget }) => setImmediate(currentTarget.checked)}
        />
      )}
    </Confirm>
  );
}

const follows: Readonly<Record<'pending' | 'active' | 'retired', string>> = {
  pending: 'It has signed nothing yet. Concord publishes another key in its place.',
  active:
    'The next key signs from now on. Receivers whose cache does not have it yet refuse webhooks until they read the keys again.',
  retired: 'It no longer signs. Requests of the last weeks that it signed no longer verify.',
};

function RevokeKey({
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
        The key is removed from the published keys at once, and nothing that it signed is valid any more.{' '}
        {state in follows && follows[state as keyof typeof follows]}
      </p>
      <p>
        Receivers keep the published keys for up to an hour, and for a further day while Concord cannot be
        reached. Until then they may still trust this key.
      </p>
    </Confirm>
  );
}
