// `concord logout`: forgets the token, and revokes it where Concord lets a token do that.
import { ConcordError, getMe, revokeAccessToken, signOut } from '@concord/client';
import type { Command } from '../command.ts';
import { createConcord } from '../context.ts';
import { CliError } from '../exits.ts';
import { toBaseUrl } from '../settings.ts';
import { readFileOfToken, removeFileOfToken } from '../tokens-file.ts';

export const logout: Command = {
  path: ['logout'],
  summary: 'Forget the token, and revoke it',
  details:
    'Concord lets no access token revoke one. Such a token is forgotten here, and stays valid until you revoke it in the console.',
  example: 'concord logout',
  async run({ input, out, settings }) {
    const kept = await readFileOfToken(settings.file);
    if (kept === null) throw new CliError('denied', `There is no token in ${settings.file}`);
    const url = toBaseUrl(kept.url, input.flag('insecureHttp'));
    const outcome = await revoke(url, kept.token).finally(() => removeFileOfToken(settings.file));
    if (out.isJson) out.json({ ...outcome, url });
    else if (outcome.revoked) out.line('The token is forgotten and revoked.');
    else
      out.line(`The token is forgotten here. It is still valid: revoke it at ${url}/console/account/tokens`);
    return 'done';
  },
};

async function revoke(url: string, token: string): Promise<{ revoked: boolean; token_id: string | null }> {
  const client = createConcord(url, token);
  try {
    const { credential } = await getMe({ client });
    if (credential.kind === 'session') await signOut({ client });
    else {
      const revoked = await revokeAccessToken({ client, path: { token_id: credential.id } }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ConcordError && error.status === 403) return false;
          throw error;
        },
      );
      return { revoked, token_id: credential.id };
    }
    return { revoked: true, token_id: credential.id };
  } catch (error) {
    // It does not work any more.
    if (error instanceof ConcordError && error.status === 401) return { revoked: true, token_id: null };
    throw error;
  }
}
