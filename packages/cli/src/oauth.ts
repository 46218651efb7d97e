// The forms of OAuth: device authorization (RFC 8628) and revocation (RFC 7009).
import { fetchWithoutRedirects } from './context.ts';
import { CliError } from './exits.ts';
import { pause } from './pause.ts';
import { reasonOf } from './report.ts';

const client_id = 'concord-cli';
const timeoutMs = 30_000;

export type Begun = {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
};
export type Issued = { readonly access_token: string; readonly partner_id: string | null };

async function post(url: string, path: string, form: Record<string, string>, signal: AbortSignal) {
  const response = await fetchWithoutRedirects(`${url}${path}`, {
    method: 'POST',
    headers: { 'user-agent': 'concord-cli' },
    body: new URLSearchParams({ client_id, ...form }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

const unreachable = (error: unknown) =>
  new CliError('unreachable', `Concord did not answer${reasonOf(error)}`, { cause: error });
const refused = (status: number, { message }: Record<string, unknown>) =>
  new CliError(status >= 500 ? 'unreachable' : 'refused', String(message ?? `Concord answered ${status}`));

export async function beginLogin(url: string, clientName: string, signal: AbortSignal): Promise<Begun> {
  const answer = await post(url, '/oauth/device_authorization', { client_name: clientName }, signal).catch(
    (error: unknown) => {
      throw unreachable(error);
    },
  );
  if (answer.status !== 200) throw refused(answer.status, answer.body);
  return answer.body as Begun;
}

/** Asks until the person has answered (RFC 8628, section 3.5). A lost connection is tried again, more slowly. */
export async function awaitToken(url: string, begun: Begun, signal: AbortSignal): Promise<Issued> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  let interval = begun.interval;
  for (;;) {
    await pause(interval * 1_000, signal);
    if (signal.aborted) throw new CliError('denied', 'The login was given up');
    const answer = await post(
      url,
      '/oauth/token',
      { grant_type, device_code: begun.device_code },
      signal,
    ).catch(() => null);
    if (answer === null || answer.status >= 500) {
      interval = Math.min(interval * 2, 60);
      continue;
    }
    const { status, body } = answer;
    if (status === 200) return body as Issued;
    if (status === 429 || body.error === 'slow_down') interval += 5;
    else if (body.error === 'access_denied')
      throw new CliError('denied', 'The request was denied in the console');
    else if (body.error !== 'authorization_pending') throw refused(status, body);
  }
}

/** Ends the token, also for others who have it. */
export async function revokeToken(url: string, token: string): Promise<void> {
  const answer = await post(url, '/oauth/revoke', { token }, new AbortController().signal).catch(
    (error: unknown) => {
      throw unreachable(error);
    },
  );
  if (answer.status >= 400) throw refused(answer.status, answer.body);
}
