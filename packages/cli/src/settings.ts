// Where Concord is, who calls, and for which partner: options, then the environment, then the file.
import { CliError } from './exits.ts';
import { type Input, toId } from './input.ts';
import type { Io } from './io.ts';
import { type Kept, pathOfFile, readFileOfToken } from './tokens-file.ts';

/** docs/command-line.md lists these. */
export const variables = {
  CONCORD_URL: 'Where Concord is: `https://concord.example.com`',
  CONCORD_TOKEN: 'The access token. It wins over the file',
  CONCORD_PARTNER: 'The partner: `ptr_01h2xcejqtf2nbrexx3vqjhp41`',
  XDG_CONFIG_HOME: 'The folder that has `concord/cli.json`. Default: `~/.config`',
  NO_COLOR: 'Not empty: no colours. Without a terminal there are none either',
  NODE_EXTRA_CA_CERTS: 'A file with certificates of your own authority',
} as const;

export type Settings = {
  readonly url: string | null;
  readonly token: string | null;
  readonly partner: string | null;
  readonly file: string;
  /** Where the token comes from. */
  readonly source: 'CONCORD_TOKEN' | 'file' | null;
};

export const noSettings: Settings = { url: null, token: null, partner: null, file: '', source: null };

/** `replaces`: a file that is damaged or unsafe counts as none. */
export async function readSettings(
  input: Input,
  env: Io['env'],
  { replaces }: { replaces: boolean },
): Promise<Settings> {
  const file = pathOfFile(env);
  const allowHttp = input.flag('insecureHttp');
  const ofUrl = input.text('url');
  const given = ofUrl ?? (env.CONCORD_URL || undefined);
  const name = ofUrl === undefined ? 'CONCORD_URL' : '--url';
  const url = given === undefined ? null : toBaseUrl(given, allowHttp, name);
  // With another URL, nothing goes to that of the file.
  const kept = await readKept(file, allowHttp || url !== null).catch((error: unknown) => {
    if (replaces && error instanceof CliError) return null;
    throw error;
  });
  // A token is only sent to the Concord that it was given for.
  const isSame = kept !== null && (url === null || url === kept.url);
  const ofPartner = input.text('partner');
  const partner = ofPartner ?? (env.CONCORD_PARTNER || null);
  if (partner !== null) toId(partner, ofPartner === undefined ? 'CONCORD_PARTNER' : '--partner', 'ptr');
  const variable = env.CONCORD_TOKEN?.trim() || null;
  return {
    url: url ?? kept?.url ?? null,
    token: variable ?? (isSame ? kept.token : null),
    partner: partner ?? (isSame ? kept.partner : null),
    file,
    source: variable ? 'CONCORD_TOKEN' : isSame ? 'file' : null,
  };
}

async function readKept(file: string, allowHttp: boolean): Promise<Kept | null> {
  const kept = await readFileOfToken(file);
  return kept && { ...kept, url: toBaseUrl(kept.url, allowHttp) };
}

/** Without a slash at its end. @throws CliError for http to another machine, unless that is allowed */
export function toBaseUrl(text: string, allowHttp: boolean, name = 'The URL of concord login'): string {
  const url = toHttpUrl(text, name, 'https://concord.example.com');
  if (url.username || url.password || url.search || url.hash)
    throw new CliError(
      'usage',
      `${name} must have no user, query or fragment, and not be ${withoutUser(text)}`,
    );
  requireSafe(url, allowHttp);
  return url.href.replace(/\/+$/, '');
}

/** Logs of CI would keep the password. */
const withoutUser = (text: string): string => text.replace(/(^[^:/]*:)?.*@/s, '$1//');

/** `name`: of the option or variable. */
export function toHttpUrl(text: string, name: string, example: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CliError('usage', `${name} must be a URL like ${example}, and not ${withoutUser(text)}`);
  return url;
}

export function requireSafe(url: URL, allowHttp: boolean): void {
  if (url.protocol === 'https:' || isLoopback(url) || allowHttp) return;
  throw new CliError(
    'usage',
    `${url.origin} has no TLS, and is another machine. Use https. --insecure-http sends the token in clear`,
  );
}

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname);
