// What a command gets: its input, its output, and the client of Concord.
import { type Concord, createClient } from '@concord/client';
import { CliError, misread } from './exits.ts';
import type { Input } from './input.ts';
import type { Io } from './io.ts';
import type { Output } from './output.ts';
import type { Settings } from './settings.ts';

export type Context = {
  readonly io: Io;
  readonly input: Input;
  readonly out: Output;
  readonly settings: Settings;
  /** @throws CliError without a URL or a token */
  client(): Concord;
  /** @throws CliError without a URL */
  url(): string;
  /** @throws CliError without a partner */
  partner(): string;
};

/** A redirect could lead elsewhere, or to http. */
export const fetchWithoutRedirects: typeof fetch = (input, init) =>
  globalThis.fetch(input, { ...init, redirect: 'error' });

export function createContext(call: Pick<Context, 'io' | 'input' | 'out' | 'settings'>): Context {
  const { settings } = call;
  const url = () => {
    if (settings.url === null)
      throw new CliError('usage', 'Where is Concord? Run concord login, or set CONCORD_URL or --url');
    return settings.url;
  };
  return {
    ...call,
    url,
    client: () => createConcord(url(), requireToken(settings)),
    partner() {
      if (settings.partner === null)
        throw new CliError(
          'usage',
          'Which partner? Set --partner or CONCORD_PARTNER, or name it at concord login',
        );
      return settings.partner;
    },
  };
}

export function requireToken({ token, url }: Settings): string {
  if (token === null)
    throw new CliError('denied', `There is no token for ${url}. Run concord login, or set CONCORD_TOKEN`);
  return token;
}

/** What a header can hold (RFC 6750, section 2.1). */
export const isToken = (text: string): boolean => /^[\w.~+/-]{1,512}=*$/.test(text);

export function createConcord(url: string, token: string): Concord {
  // The error of fetch would show it.
  if (!isToken(token))
    throw new CliError('usage', 'The token has a character that no access token has. Copy it again');
  const client = createClient({ baseUrl: url, token, headers: { 'user-agent': 'concord-cli' } });
  // Each answer of Concord has it.
  client.interceptors.response.use((response) => {
    if (response.ok && !response.headers.has('api-version')) throw misread();
    return response;
  });
  return client;
}
