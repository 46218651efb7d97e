// Saves a connection over the version that was opened.
import {
  getConnection,
  type IdentityConnection,
  type UpdateIdentityConnection,
  updateConnection,
} from '@concord/client';
import { readNow } from '#api/read.ts';
import { saveVersion, type Version } from '#api/save-version.ts';
import { write } from '#api/write.ts';

/** Fields in the dialog of a conflict. */
const connectionFields: Readonly<Record<keyof UpdateIdentityConnection, string>> = {
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
  opened: Version<IdentityConnection>;
  mine: Fields;
};

export function saveConnection({ partner, opened, mine }: Options) {
  const path = { id: partner, connection_id: opened.data.id };
  return saveVersion<Fields>({
    thing: 'this connection',
    opened,
    mine,
    load: () => readNow(getConnection, { path }),
    save: (body, headers) => write(updateConnection, { path, body, headers }),
    names: connectionFields,
    show: (value, field) => (field === 'client_secret' ? '' : show(value)),
    done: `${mine.name ?? opened.data.name} is saved.`,
  });
}

const show = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value === true ? 'Yes' : value || 'No');
