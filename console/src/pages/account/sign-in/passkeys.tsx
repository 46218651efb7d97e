// The person's passkeys: add, rename and remove them.
import { listPasskeys, type Passkey, removePasskey, renamePasskey } from '@concord/client';
import { useState } from 'react';
import { useRead } from '../../../api/read.ts';
import { write } from '../../../api/write.ts';
import { canUsePasskeys } from '../../../app/passkeys/passkeys.ts';
import { keeperOf, passkeyWords } from '../../../messages/passkeys.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Confirm } from '../../../ui/dialog/confirm.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { Time } from '../../../ui/text/text.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { PasskeyName } from './passkey-name.tsx';

/** Nothing when the browser cannot use one here, and there is none. */
export function Passkeys() {
  const passkeys = useRead(listPasskeys, {});
  const [changing, setChanging] = useState<{ what: 'name' | 'remove'; passkey: Passkey } | null>(null);
  const close = () => setChanging(null);
  if (!canUsePasskeys() && !passkeys.data?.data.length) return null;
  return (
    <Section
      title={passkeyWords.title}
      about={passkeyWords.about}
      action={canUsePasskeys() && <AddPasskey />}
    >
      <Loaded query={passkeys} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>{passkeyWords.none}</Empty>
          ) : (
            <Table
              label={passkeyWords.title}
              rows={data}
              keyOf={({ id }) => id}
              nameOf={({ name }) => name}
              columns={[
                { name: passkeyWords.name, cell: ({ name }) => name },
                {
                  name: passkeyWords.keptBy,
                  cell: ({ aaguid }) => keeperOf(aaguid) ?? '–',
                  isSecondary: true,
                },
                {
                  name: passkeyWords.added,
                  cell: ({ created_at }) => <Time at={created_at} />,
                  isSecondary: true,
                },
                {
                  name: passkeyWords.used,
                  cell: ({ last_used_at }) => <Time at={last_used_at} none={passkeyWords.never} />,
                },
              ]}
              actions={(passkey) => [
                { label: passkeyWords.rename, onSelect: () => setChanging({ what: 'name', passkey }) },
                {
                  label: passkeyWords.remove,
                  isDangerous: true,
                  onSelect: () => setChanging({ what: 'remove', passkey }),
                },
              ]}
            />
          )
        }
      </Loaded>
      {changing?.what === 'name' && <Rename passkey={changing.passkey} onClose={close} />}
      {changing?.what === 'remove' && (
        <Confirm
          title={passkeyWords.removeTitle(changing.passkey.name)}
          confirm={passkeyWords.removeConfirm}
          onClose={close}
          onConfirm={() =>
            write((client) => removePasskey({ client, path: { id: changing.passkey.id } }), {
              done: passkeyWords.removed,
            })
          }
        >
          {passkeyWords.removeAbout}
        </Confirm>
      )}
    </Section>
  );
}

function Rename({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  return (
    <Dialog title={passkeyWords.renameTitle(name)} onClose={onClose} staysOpen>
      <Form
        submit={passkeyWords.renameSubmit}
        beside={<Button onClick={onClose}>{passkeyWords.cancel}</Button>}
        onSubmit={async (values) => {
          const body = { name: values.text('name').trim() };
          await write((client) => renamePasskey({ client, path: { id }, body }), {
            done: passkeyWords.renamed,
          });
          onClose();
        }}
      >
        <PasskeyName name={name} />
      </Form>
    </Dialog>
  );
}
