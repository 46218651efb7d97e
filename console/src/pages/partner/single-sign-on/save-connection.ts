// Saves a connection over the version that was opened, with the question after a conflict.
import {
  getConnection,
  type IdentityConnection,
  type UpdateIdentityConnection,
  updateConnection,
  withResponse,
} from '@concord/client';
import { client } from '../../../api/client.ts';
import type { Answer } from '../../../api/read.ts';
import { saveVersion, type Version } from '../../../api/save-version.ts';
import { toast } from '../../../api/toasts.ts';
import { readAgain, write } from '../../../api/write.ts';
import { connectionFields } from './messages.ts';

type Fields = UpdateIdentityConnection;
const fieldsOf = ({
  name,
  issuer,
  client_id,
  authentication,
  admits_new_members,
  terms,
}: IdentityConnection): Fields => ({ name, issuer, client_id, authentication, admits_new_members, terms });

type Options = {
  partner: string;
  opened: Answer<IdentityConnection>;
  /** Fields that the form has. */
  mine: Fields;
  ask: (differences: { field: string; mine: string; theirs: string }[]) => Promise<boolean>;
};

export async function saveConnection({ partner, opened, mine, ask }: Options): Promise<void> {
  const path = { id: partner, connection_id: opened.data.id };
  const base = { fields: fieldsOf(opened.data), etag: opened.etag };
  const show = (value: unknown) =>
    typeof value === 'object' ? JSON.stringify(value) : String(value === true ? 'Yes' : value || 'No');
  const outcome = await saveVersion<Fields>({
    base,
    mine: { ...base.fields, ...mine },
    load: async (): Promise<Version<Fields>> => {
      const { data, response } = await withResponse(getConnection, { client, path });
      return { fields: fieldsOf(data), etag: response.headers.get('etag') ?? '' };
    },
    save: (body, etag) =>
      write((used) => updateConnection({ client: used, path, body, headers: { 'if-match': etag } })),
    ask: (differences) =>
      ask(
        differences.map(({ field, mine: ours, theirs }) => ({
          field: connectionFields[field] ?? field,
          mine: field === 'client_secret' ? '' : show(ours),
          theirs: field === 'client_secret' ? '' : show(theirs),
        })),
      ),
  });
  if (outcome === 'saved') toast({ tone: 'good', text: `${mine.name ?? opened.data.name} is saved.` });
  else await readAgain();
}
