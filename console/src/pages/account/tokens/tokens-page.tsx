// Access tokens: what programs use in the person's place.
import {
  type AccessToken,
  type CreatedAccessToken,
  listAccessTokens,
  revokeAccessToken,
} from '@concord/client';
import { useState } from 'react';
import { useRead } from '../../../api/read.ts';
import { write } from '../../../api/write.ts';
import { toCommand } from '../../../format/command.ts';
import { describePermissions } from '../../../messages/terms.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Confirm } from '../../../ui/dialog/confirm.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { SecretPanel } from '../../../ui/secret/secret-panel.tsx';
import { List } from '../../../ui/table/list.tsx';
import { useListState } from '../../../ui/table/list-state.ts';
import { Hint } from '../../../ui/text/hint.tsx';
import { Time } from '../../../ui/text/text.tsx';
import { AccountPage } from '../account-page.tsx';
import { CreateToken } from './create-token.tsx';

/** Only a session creates access tokens. */
const command = () =>
  toCommand({
    method: 'POST',
    path: '/me/access-tokens',
    variable: 'CONCORD_SESSION',
    body: {
      name: 'CI',
      scopes: [
        {
          resource: 'deliveries',
          get: true,
          query: true,
          post: false,
          put: false,
          patch: false,
          delete: false,
        },
      ],
    },
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
        <List
          label="Access tokens"
          query={tokens}
          state={state}
          empty={
            <Empty action={create} command={command()}>
              You have no access tokens.
            </Empty>
          }
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
          columns={[
            { name: 'Name', sortBy: 'name', cell: ({ name }) => name },
            { name: 'Token', cell: ({ prefix }) => <code>{prefix}…</code>, isSecondary: true },
            { name: 'May', cell: ({ scopes }) => <Scopes scopes={scopes} />, isSecondary: true },
            {
              name: 'Partners',
              cell: ({ partner_ids: ids }) => (ids === null ? 'All of yours' : ids.length),
              isSecondary: true,
            },
            {
              name: 'Created',
              sortBy: 'created_at',
              cell: ({ created_at }) => <Time at={created_at} />,
              isSecondary: true,
            },
            { name: 'Ends', sortBy: 'expires_at', cell: ({ expires_at }) => <Time at={expires_at} /> },
          ]}
          actions={(token) => [
            {
              label: 'Revoke',
              isDangerous: true,
              dialog: (onClose) => (
                <Confirm
                  title={`Revoke the token ${token.name}?`}
                  confirm="Revoke the token"
                  onClose={onClose}
                  onConfirm={() =>
                    write((client) => revokeAccessToken({ client, path: { token_id: token.id } }), {
                      done: 'The token is revoked.',
                    })
                  }
                >
                  Programs that use it get 401 from now on. It cannot be brought back.
                </Confirm>
              ),
            },
          ]}
        />
      </Section>
      {isCreating && (
        <CreateToken
          onClose={() => setCreating(false)}
          onCreated={(token) => {
            setCreating(false);
            setCreated(token);
          }}
        />
      )}
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

function Scopes({ scopes }: { scopes: AccessToken['scopes'] }) {
  const lines = describePermissions(scopes);
  const [first = 'Nothing', ...others] = lines;
  if (others.length === 0) return first;
  return (
    <Hint
      text={
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      }
    >
      {first} and {others.length} more
    </Hint>
  );
}
