// The access tokens of a service account.
import {
  type AclPermission,
  createServiceAccountToken,
  listServiceAccountTokens,
  revokeServiceAccountToken,
  type ServiceAccount,
} from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { TokenList } from '#app/token-list.tsx';
import { Button } from '#ui/button/button.tsx';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { FieldSet, SelectField, TextField } from '#ui/form/field.tsx';
import { Stack } from '#ui/layout/page.tsx';
import { PermissionPicker } from '#ui/permissions/permission-picker.tsx';
import { SecretPanel } from '#ui/secret/secret-panel.tsx';
import { useListState } from '#ui/table/list-state.ts';

type Props = { account: ServiceAccount };

export function Tokens({ account }: Props) {
  const partner = usePartner();
  const path = { id: partner, service_account_id: account.id };
  const state = useListState({ sort: { by: 'created_at', direction: 'desc' } });
  const query = useRead(listServiceAccountTokens, { path, query: state.query });
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const create = <Button onClick={() => setCreating(true)}>Create an access token</Button>;
  return (
    <Stack>
      {query.data !== undefined && query.data.data.length > 0 && <div>{create}</div>}
      <TokenList
        query={query}
        state={state}
        empty={<Empty action={create}>{account.name} has no token, so it can send no requests.</Empty>}
        revoke={(token, done) =>
          write(revokeServiceAccountToken, { path: { ...path, token_id: token.id } }, { done })
        }
      />
      {isCreating && (
        <CreateToken account={account} onClose={() => setCreating(false)} onCreated={setSecret} />
      )}
      {secret !== null && (
        <SecretPanel
          title="The access token"
          description={`For ${account.name}. Send it as the header Authorization: Bearer <token>.`}
          lines={[secret]}
          fileName="concord-access-token.txt"
          onClose={() => setSecret(null)}
        />
      )}
    </Stack>
  );
}

const days = ['30', '90', '180', '365'].map((value) => ({ value, label: `In ${value} days` }));
const dayMs = 86_400_000;

type CreateProps = Props & { onClose: () => void; onCreated: (token: string) => void };
function CreateToken({ account, onClose, onCreated }: CreateProps) {
  const partner = usePartner();
  const [scopes, setScopes] = useState<AclPermission[]>([]);
  return (
    <FormDialog
      title={`Create an access token for ${account.name}`}
      onClose={onClose}
      isWide
      submit="Create the token"
      onSubmit={async (values) => {
        const expires_at = new Date(Date.now() + Number(values.text('days')) * dayMs).toISOString();
        const path = { id: partner, service_account_id: account.id };
        const body = { name: values.text('name'), scopes, expires_at };
        const created = await write(createServiceAccountToken, { path, body });
        onClose();
        if (created) onCreated(created.token);
      }}
    >
      <TextField
        name="name"
        label="Name"
        required
        autoFocus
        help="Where the token is used, to recognize it later."
      />
      <SelectField
        name="days"
        label="Ends"
        defaultValue="90"
        options={days}
        help="Create a new one first, then revoke this one."
      />
      <FieldSet
        legend="Scopes"
        help="Only what the program needs. The agreement of the account must allow it too."
      >
        <PermissionPicker label="Scopes" value={scopes} onChange={setScopes} />
      </FieldSet>
    </FormDialog>
  );
}
