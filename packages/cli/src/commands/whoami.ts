// `concord whoami`: whose token it is, and what limits it.
import { getMe } from '@concord/client';
import type { Command } from '../command.ts';

export const whoami: Command = {
  path: ['whoami'],
  summary: 'Show whose token is used, and what limits it',
  example: 'concord whoami --json',
  async run({ client, out, settings }) {
    const me = await getMe({ client: client() });
    const { credential } = me;
    const { url, partner, source } = settings;
    const scopes = credential.scopes?.map(({ resource }) => resource).join(', ');
    out.result({ url, partner, source, user: me }, [
      ['Concord', url ?? ''],
      ['User', `${me.email} (${me.role})`],
      ['Partner', partner ?? 'none chosen'],
      ['Token', `${credential.kind} ${credential.id} from ${source}, until ${credential.expires_at}`],
      ...(scopes === undefined ? [] : [['Scopes', scopes || 'none']]),
      ...(credential.partner_ids ? [['Works with', credential.partner_ids.join(', ')]] : []),
    ]);
  },
};
