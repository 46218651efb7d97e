// `concord login`: keeps a token for the commands that follow.
import { type Concord, getMe, listPartners, type Me } from '@concord/client';
import type { Command } from '../command.ts';
import { type Context, createConcord } from '../context.ts';
import { CliError } from '../exits.ts';
import { writeFileOfToken } from '../tokens-file.ts';

export const login: Command = {
  path: ['login'],
  summary: 'Keep an access token for the commands that follow',
  details:
    'Create the token in the console, under Account, Access tokens. It is kept in concord/cli.json of the XDG configuration folder, in clear, readable by you only. For CI set CONCORD_URL, CONCORD_TOKEN and CONCORD_PARTNER instead.',
  options: [{ flags: '--token-stdin', description: 'reads the token from stdin' }],
  example: 'concord login --url https://concord.example.com --token-stdin < token.txt',
  async run(context) {
    const { io, input, out, settings } = context;
    const url = context.url();
    const token = await readToken(context);
    const client = createConcord(url, token);
    const me = await getMe({ client });
    const partner =
      input.text('partner') ?? (io.env.CONCORD_PARTNER || null) ?? (await findPartner(client, me));
    await writeFileOfToken(settings.file, { url, token, partner });
    if (out.isJson) out.json({ url, user: me.email, partner, file: settings.file });
    else {
      out.line(`You are ${me.email} at ${url}.`);
      out.line(
        partner === null
          ? 'Name the partner with --partner or CONCORD_PARTNER.'
          : `The partner is ${partner}.`,
      );
      out.line(`The token is kept in ${settings.file}, in clear, readable by you only.`);
    }
    return 'done';
  },
};

async function readToken({ io, input }: Context): Promise<string> {
  if (!input.flag('tokenStdin'))
    throw new CliError('usage', 'Use --token-stdin, and give an access token of the console on stdin');
  const token = (await io.readStdin()).toString('utf8').trim();
  // What a header can hold (RFC 6750, section 2.1).
  if (!/^[\w.~+/-]{1,512}=*$/.test(token)) throw new CliError('usage', 'stdin has no access token');
  return token;
}

/** The only partner that the token works with. */
async function findPartner(client: Concord, { credential }: Me): Promise<string | null> {
  const { partner_ids: limited } = credential;
  if (limited !== null) return limited.length === 1 ? (limited[0] ?? null) : null;
  const found = await listPartners({ client, query: { page_size: 2 } });
  return found.length === 1 ? (found[0]?.id ?? null) : null;
}
