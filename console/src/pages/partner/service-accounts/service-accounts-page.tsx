// The service accounts of a partner: its programs.
import { createServiceAccount, listServiceAccounts } from '@concord/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { toCommand } from '#format/command.ts';
import { DialogButton, FormDialog } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { TextField } from '#ui/form/field.tsx';
import { Page } from '#ui/layout/page.tsx';
import { List, useListState } from '#ui/table/list.tsx';
import { Id } from '#ui/text/text.tsx';

export function ServiceAccountsPage() {
  const partner = usePartner();
  const state = useListState({ sort: { by: 'created_at', direction: 'desc' } });
  const query = useRead(listServiceAccounts, { path: { id: partner }, query: state.query });
  return (
    <Page
      title="Service accounts"
      about="Programs of this partner. They use access tokens, and stay when the people who created them leave."
      action={
        <DialogButton look="primary" dialog={(onClose) => <CreateDialog onClose={onClose} />}>
          Create a service account
        </DialogButton>
      }
    >
      <List
        label="Service accounts"
        query={query}
        state={state}
        keyOf={({ id }) => id}
        empty={
          <Empty
            command={toCommand({
              method: 'POST',
              path: `/partners/${partner}/service-accounts`,
              body: { name: 'Stock export' },
            })}
          >
            This partner has no programs yet.
          </Empty>
        }
        columns={[
          {
            name: 'Service account',
            cell: ({ id, name }) => (
              <Link to="/p/$partner/service-accounts/$account" params={{ partner, account: id }}>
                {name}
              </Link>
            ),
          },
          { name: 'Id', cell: ({ id }) => <Id id={id} />, isSecondary: true },
          { name: 'Created', sortBy: 'created_at', at: 'created_at' },
        ]}
      />
    </Page>
  );
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const partner = usePartner();
  const navigate = useNavigate();
  return (
    <FormDialog
      title="Create a service account"
      onClose={onClose}
      submit="Create the service account"
      onSubmit={async (values) => {
        const body = { name: values.text('name') };
        const account = await write(
          createServiceAccount,
          { path: { id: partner }, body },
          { done: `${body.name} is created. It may do nothing yet: give it permissions and a token.` },
        );
        await navigate({
          to: '/p/$partner/service-accounts/$account',
          params: { partner, account: account.id },
        });
      }}
    >
      <TextField
        name="name"
        label="Name"
        required
        autoFocus
        help="What the program does. People see it in the audit log."
      />
    </FormDialog>
  );
}
