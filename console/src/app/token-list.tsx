// The access tokens of a person or of a service account.
import type { AccessToken } from '@concord/client';
import type { ComponentProps } from 'react';
import { describePermissions } from '#messages/terms.ts';
import { Confirm } from '#ui/dialog/dialog.tsx';
import { List } from '#ui/table/list.tsx';
import type { Column } from '#ui/table/table.tsx';
import { Hint } from '#ui/text/hint.tsx';
import { Time } from '#ui/text/text.tsx';

type Token = Pick<AccessToken, 'id' | 'name' | 'prefix' | 'scopes' | 'created_at' | 'expires_at'>;
type Props<T extends Token> = Pick<ComponentProps<typeof List<T>>, 'query' | 'state' | 'empty'> & {
  columns?: readonly Column<T>[];
  revoke: (token: T, done: string) => Promise<unknown>;
};

export const TokenList = <T extends Token>({ columns = [], revoke, ...list }: Props<T>) => (
  <List
    {...list}
    label="Access tokens"
    keyOf={({ id }) => id}
    nameOf={({ name }) => name}
    columns={[
      { name: 'Name', sortBy: 'name', cell: ({ name }) => name },
      { name: 'Begins with', cell: ({ prefix }) => <code>{prefix}…</code>, isSecondary: true },
      { name: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} />, isSecondary: true },
      ...columns,
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
            onConfirm={() => revoke(token, `The token ${token.name} is revoked.`)}
          >
            Programs that use it are refused from now on. It cannot be restored.
          </Confirm>
        ),
      },
    ]}
  />
);

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
