// Access tokens: what programs use in the person's place.
import {
  type CreatedAccessToken,
  createAccessToken,
  listAccessTokens,
  revokeAccessToken,
} from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { TokenList } from '#app/token-list.tsx';
import { toCommand } from '#format/command.ts';
import { Button } from '#ui/button.tsx';
import { FormDialog } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Section } from '#ui/layout/page.tsx';
import { none } from '#ui/permissions/permission-sets.ts';
import { SecretPanel } from '#ui/secret/secret-panel.tsx';
import { useListState } from '#ui/table/list.tsx';
import { AccountPage } from '../account-page.tsx';
import { useTokenTerms } from './token-terms.tsx';

/** Only a session creates access tokens. */
const command = () =>
  toCommand({
    method: 'POST',
    path: '/me/access-tokens',
    variable: 'CONCORD_SESSION',
    body: { name: 'CI', scopes: [{ resource: 'deliveries', ...none, get: true, query: true }] },
  });

export function TokensPage() {
  const state = useListState({ sort: { by: 'created_at', direction: 'desc' } });
  const tokens = useRead(listAccessTokens, { query: state.query });
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedAccessToken | null>(null);
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      Create an access token
    </Button>
  );
  return (
    <AccountPage documentTitle="Access tokens">
      <Section
        title="Access tokens"
        about="A program sends one in your place. It may do what both its scopes and you may do."
        action={tokens.data?.data.length !== 0 && create}
      >
        <TokenList
          query={tokens}
          state={state}
          empty={
            <Empty
              action={<Button onClick={() => setCreating(true)}>Create an access token</Button>}
              command={command()}
            >
              You have no access tokens.
            </Empty>
          }
          columns={[
            {
              name: 'Partners',
              cell: ({ partner_ids: ids }) => (ids === null ? 'All of yours' : ids.length),
              isSecondary: true,
            },
          ]}
          revoke={(token, done) => write(revokeAccessToken, { path: { token_id: token.id } }, { done })}
        />
      </Section>
      {isCreating && <CreateToken onClose={() => setCreating(false)} onCreated={setCreated} />}
      {created && (
        <SecretPanel
          title={`The token ${created.name}`}
          description="Send it as Authorization: Bearer, and keep it as you keep a password."
          lines={[created.token]}
          fileName="concord-token.txt"
          onClose={() => setCreated(null)}
        />
      )}
    </AccountPage>
  );
}

type Props = { onClose: () => void; onCreated: (token: CreatedAccessToken) => void };

function CreateToken({ onClose, onCreated }: Props) {
  const { fields, read } = useTokenTerms({});
  return (
    <FormDialog
      title="Create an access token"
      onClose={onClose}
      isWide
      submit="Create the token"
      onSubmit={async (values) => onCreated(await write(createAccessToken, { body: read(values) }))}
    >
      {fields}
    </FormDialog>
  );
}
