// One service account: what it may do, and its access tokens.
import {
  type AclPermission,
  createServiceAccountToken,
  deleteServiceAccount,
  getPartnerAgreement,
  getServiceAccount,
  listServiceAccountTokens,
  revokeServiceAccountToken,
  type ServiceAccount,
} from '@concord/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { usePartner, usePath } from '#app/address.ts';
import { TokenList } from '#app/token-list.tsx';
import { formatCount } from '#format/numbers.ts';
import { Button } from '#ui/button.tsx';
import { Confirm, DialogButton, FormDialog } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { FieldSet, SelectField, TextField } from '#ui/form/field.tsx';
import { Page, Section, Stack } from '#ui/layout/page.tsx';
import { PermissionPicker } from '#ui/permissions/permission-picker.tsx';
import { SecretPanel } from '#ui/secret/secret-panel.tsx';
import { useListState } from '#ui/table/list.tsx';
import { Fact, Facts } from '#ui/text/text.tsx';
import { describeAccess } from '../people/agreement.ts';
import { History } from '../people/history.tsx';

export function ServiceAccountPage() {
  const { partner, account } = usePath();
  const query = useRead(getServiceAccount, { path: { id: partner, service_account_id: account } });
  return (
    <Loaded query={query} lines={8} frame={(shown) => <Page title="Service account">{shown}</Page>}>
      {(answer) => <Account answer={answer} />}
    </Loaded>
  );
}

function Account({ answer }: { answer: Answer<ServiceAccount> }) {
  const partner = usePartner();
  const { id, name, agreement_id, created_at } = answer.data;
  const agreement = useRead(getPartnerAgreement, { path: { id: partner, agreement_id } });
  return (
    <Page
      title={name}
      above={
        <Link to="/p/$partner/service-accounts" params={{ partner }}>
          Service accounts
        </Link>
      }
      action={
        <DialogButton look="plain" dialog={(onClose) => <DeleteAccount answer={answer} onClose={onClose} />}>
          Delete
        </DialogButton>
      }
    >
      <Facts>
        <Fact name="May do">
          <Link to="/p/$partner/people/$agreement" params={{ partner, agreement: agreement_id }}>
            {agreement.data === undefined ? 'See its agreement' : describeAccess(agreement.data.data)}
          </Link>
        </Fact>
        <Fact name="Created" at={created_at} />
        <Fact name="Id" id={id} />
        <Fact name="Agreement" id={agreement_id} />
      </Facts>
      <Section
        title="Access tokens"
        about="A token may do what both its scopes and the agreement of the account allow."
      >
        <Tokens account={answer.data} />
      </Section>
      <History target={id} />
    </Page>
  );
}

type DeleteProps = { answer: Answer<ServiceAccount>; onClose: () => void };
function DeleteAccount({ answer, onClose }: DeleteProps) {
  const partner = usePartner();
  const navigate = useNavigate();
  const { id, name } = answer.data;
  const path = { id: partner, service_account_id: id };
  const tokens = useRead(listServiceAccountTokens, { path, query: { page_size: 1 } }).data?.total ?? null;
  return (
    <Confirm
      title={`Delete ${name}?`}
      confirm={`Delete ${name}`}
      onClose={onClose}
      onConfirm={async () => {
        await write(
          deleteServiceAccount,
          { path },
          {
            done: `${name} is deleted.`,
            leave: () => navigate({ to: '/p/$partner/service-accounts', params: { partner } }),
          },
        );
      }}
    >
      {tokens === null
        ? 'Its access tokens stop'
        : `${formatCount(tokens, 'access token stops', 'access tokens stop')}`}{' '}
      working with the next request. The account cannot be restored.
    </Confirm>
  );
}

type Props = { account: ServiceAccount };

function Tokens({ account }: Props) {
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
        onCreated((await write(createServiceAccountToken, { path, body })).token);
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
