// Saves a connection over the version that was opened, with the question after a conflict.
import {
  getConnection,
  type IdentityConnection,
  type UpdateIdentityConnection,
  updateConnection,
  withResponse,
} from '@concord/client';
import { client } from '#api/client.ts';
import type { Answer } from '#api/read.ts';
import { type Ask, saveOpened } from '#api/save-version.ts';
import { write } from '#api/write.ts';

/** Fields in the dialog of a conflict. */
const connectionFields: Readonly<Record<string, string>> = {
  name: 'Name',
  issuer: 'Issuer',
  client_id: 'Client id',
  authentication: 'Authentication',
  client_secret: 'Client secret',
  admits_new_members: 'New members join',
  terms: 'Terms of new members',
};

type Fields = UpdateIdentityConnection;
type Options = {
  partner: string;
  opened: Pick<Answer<IdentityConnection>, 'data' | 'etag'>;
  /** Fields that the form has. */
  mine: Fields;
  ask: Ask;
};

export function saveConnection({ partner, opened, mine, ask }: Options): Promise<void> {
  const path = { id: partner, connection_id: opened.data.id };
  return saveOpened<Fields>({
    ...{ opened, mine, ask },
    load: () => withResponse(getConnection, { client, path }),
    save: (body, headers) => write(updateConnection, { path, body, headers }),
    show: ({ field, mine: ours, theirs }) => ({
      field: connectionFields[field] ?? field,
      mine: field === 'client_secret' ? '' : show(ours),
      theirs: field === 'client_secret' ? '' : show(theirs),
    }),
    done: `${mine.name ?? opened.data.name} is saved.`,
  });
}

const show = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value === true ? 'Yes' : value || 'No');
