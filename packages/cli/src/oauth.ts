// The forms of OAuth: device authorization (RFC 8628) and revocation (RFC 7009).
import { fetchWithoutRedirects } from './context.ts';
import { CliError, misread } from './exits.ts';
import { pause } from './pause.ts';
import { reasonOf } from './report.ts';

const client_id = 'concord-cli';
const timeoutMs = 30_000;

/** Times in seconds. */
export type Begun = {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly expiresIn: number;
  readonly interval: number;
};
export type Issued = { readonly token: string; readonly partner: string | null };

async function post(url: string, path: string, form: Record<string, string>, signal: AbortSignal) {
  try {
    const response = await fetchWithoutRedirects(`${url}${path}`, {
      method: 'POST',
      headers: { 'user-agent': 'concord-cli' },
      body: new URLSearchParams({ client_id, ...form }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    return { status: response.status, body: parse(await response.text()) };
  } catch (error) {
    throw new CliError('unreachable', `Concord did not answer${reasonOf(error)}`, { cause: error });
  }
}

/** No member, unless it is an object: a proxy can answer with anything. */
function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

const refused = (status: number, { message }: Record<string, unknown>) =>
  new CliError(status >= 500 ? 'unreachable' : 'refused', String(message ?? `Concord answered ${status}`));

export async function beginLogin(url: string, clientName: string, signal: AbortSignal): Promise<Begun> {
  const answer = await post(url, '/oauth/device_authorization', { client_name: clientName }, signal);
  // Each Concord has this path, so the URL is that of something else, such as of the console.
  if (answer.status === 404) throw misread();
  if (answer.status !== 200) throw refused(answer.status, answer.body);
  const { device_code, user_code, expires_in, interval = 5 } = answer.body;
  if (typeof device_code !== 'string' || typeof user_code !== 'string') throw misread();
  if (!(Number(expires_in) > 0) || !(Number(interval) >= 1)) throw misread();
  return {
    deviceCode: device_code,
    userCode: user_code,
    expiresIn: Number(expires_in),
    interval: Number(interval),
  };
}

/**
 * Asks until the person has answered, or the code has ended (RFC 8628, section 3.5). A lost connection is tried again,
 * more slowly.
 */
export async function awaitToken(
  url: string,
  { deviceCode, expiresIn, interval: first }: Begun,
  signal: AbortSignal,
  wait = pause,
): Promise<Issued> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  const expired = () =>
    new CliError('denied', 'Nobody has answered, and the code has ended. Run concord login again');
  let interval = first;
  let waited = 0;
  while (waited < expiresIn) {
    await wait(interval * 1_000, signal);
    waited += interval;
    signal.throwIfAborted();
    const answer = await post(url, '/oauth/token', { grant_type, device_code: deviceCode }, signal).catch(
      () => null,
    );
    if (answer === null || answer.status >= 500) {
      interval = Math.min(interval * 2, 60);
      continue;
    }
    const { status, body } = answer;
    if (status === 200) return readIssued(body);
    if (status === 429 || body.error === 'slow_down') interval += 5;
    else if (body.error === 'access_denied')
      throw new CliError('denied', 'The request was denied in the console');
    else if (body.error === 'expired_token') throw expired();
    else if (body.error !== 'authorization_pending') throw refused(status, body);
  }
  throw expired();
}

function readIssued({ access_token: token, partner_id: partner }: Record<string, unknown>): Issued {
  if (typeof token !== 'string') throw misread();
  return { token, partner: typeof partner === 'string' ? partner : null };
}

/** Ends the token, also for others who have it. */
export async function revokeToken(url: string, token: string): Promise<void> {
  const answer = await post(url, '/oauth/revoke', { token }, new AbortController().signal);
  if (answer.status >= 400) throw refused(answer.status, answer.body);
}
