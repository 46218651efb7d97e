// `concord logout`: revokes the token, and forgets it.
import { ConcordError, getMe, signOut } from '@concord/client';
import type { Command } from '../command.ts';
import { createConcord } from '../context.ts';
import { CliError } from '../exits.ts';
import { revokeToken } from '../oauth.ts';
import { toReport } from '../report.ts';
import { toBaseUrl } from '../settings.ts';
import { readFileOfToken, removeFileOfToken } from '../tokens-file.ts';

export const logout: Command = {
  path: ['logout'],
  summary: 'Revoke the token, and forget it',
  example: 'concord logout',
  async run({ input, io, out, settings }) {
    const kept = await readFileOfToken(settings.file);
    if (kept === null) throw new CliError('denied', `There is no token in ${settings.file}`);
    const url = toBaseUrl(kept.url, input.flag('insecureHttp'));
    const id = await revoke(url, kept.token).catch((error: unknown) => {
      const { exit, message } = toReport(error);
      const where = `${url}/console/account/tokens`;
      throw new CliError(
        exit,
        `${message.replace(/\.$/, '')}. The token still works, and is kept. Run concord logout again, or revoke it at ${where}`,
        { cause: error },
      );
    });
    await removeFileOfToken(settings.file).catch((error: Error) => {
      throw new CliError(
        'usage',
        `The token is revoked. The file ${settings.file} that has it cannot be deleted: ${error.message}. Delete it yourself`,
        { cause: error },
      );
    });
    if (io.env.CONCORD_TOKEN) out.note('CONCORD_TOKEN is still set, and other commands use it.');
    out.result({ token_id: id, url }, 'The token is forgotten and revoked.');
  },
};

/** Resolves with its id. Null: it did not work any more. */
async function revoke(url: string, token: string): Promise<string | null> {
  const client = createConcord(url, token);
  try {
    const { credential } = await getMe({ client });
    if (credential.kind === 'session') await signOut({ client });
    else await revokeToken(url, token);
    return credential.id;
  } catch (error) {
    if (error instanceof ConcordError && error.status === 401) return null;
    throw error;
  }
}
