// `concord login`: gets a token by the console, or takes one, and keeps it for the commands that follow.
import { hostname } from 'node:os';
import { type Concord, getMe, listPartners, type Me } from '@concord/client';
import type { Command } from '../command.ts';
import { type Context, createConcord, isToken } from '../context.ts';
import { CliError } from '../exits.ts';
import { awaitToken, beginLogin, type Issued } from '../oauth.ts';
import { opener } from '../opener.ts';
import { writeFileOfToken } from '../tokens-file.ts';

export const login: Command = {
  path: ['login'],
  summary: 'Get a token in the console, and keep it for the commands that follow',
  details:
    'Opens a page of the console, where you choose what the token may do. It is kept in clear in concord/cli.json of the XDG configuration folder, readable by you only. For CI set CONCORD_URL, CONCORD_TOKEN and CONCORD_PARTNER instead.',
  options: [{ flags: '--token-stdin', description: 'takes an access token from stdin instead' }],
  example: 'concord login --url https://concord.example.com',
  settings: 'replaced',
  async run(context) {
    const { io, input, out, settings } = context;
    const url = context.url();
    const { token, partner: ofToken } = input.flag('tokenStdin')
      ? await readToken(context)
      : await askConsole(context);
    const client = createConcord(url, token);
    const me = await getMe({ client });
    const partner =
      input.text('partner') ?? (io.env.CONCORD_PARTNER || ofToken) ?? (await findPartner(client, me));
    await writeFileOfToken(settings.file, { url, token, partner });
    if (settings.source === 'CONCORD_TOKEN')
      out.note('CONCORD_TOKEN is set, and other commands use it, not this token. Unset it.');
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
  },
};

async function askConsole({ io, out, url: urlOf }: Context): Promise<Issued> {
  const url = urlOf();
  const name =
    hostname()
      .replaceAll(/[^\w.-]/g, '')
      .slice(0, 100) || 'command line';
  const begun = await beginLogin(url, name, io.ended);
  // Nothing that came from the network is opened but a page of this Concord.
  const page = `${url}/console/device?user_code=${encodeURIComponent(begun.userCode)}`;
  out.note(`Open ${page}`);
  out.note(`The page must show the code ${begun.userCode}.`);
  if (io.isInteractive && !io.env.CI && !out.isJson) io.start(...opener(io.platform, page));
  out.note('Waiting for your answer. Press Ctrl-C to give up.');
  return awaitToken(url, begun, io.ended);
}

async function readToken({ io, out }: Context): Promise<Issued> {
  if (io.isInteractive) out.note('Paste the token, and press Enter and Ctrl-D.');
  const token = (await io.readStdin()).toString('utf8').trim();
  if (!isToken(token)) throw new CliError('usage', 'stdin must have an access token, and nothing else');
  return { token, partner: null };
}

/** The only partner that the token works with. */
async function findPartner(client: Concord, { credential }: Me): Promise<string | null> {
  const { partner_ids: limited } = credential;
  if (limited !== null) return limited.length === 1 ? (limited[0] ?? null) : null;
  const found = await listPartners({ client, query: { page_size: 2 } });
  return found.length === 1 ? (found[0]?.id ?? null) : null;
}
