// The doctor on the mail server, names, and the egress proxy. It sends nothing.

import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { type MailQueue, probeServer } from '../../../base/mail/index.ts';
import { within } from '../../../base/within.ts';
import type { Config } from '../../config.ts';
import { allOf, countOf, error, type Finding, note, ok, secondsOf, warning } from './finding.ts';
import { isPublic } from './settings.ts';

const patienceMs = 5_000;

export async function checkMailServer(config: Config): Promise<readonly Finding[]> {
  const url = config.CONCORD_SMTP_URL;
  if (url === null) {
    const text = 'CONCORD_SMTP_URL is not set: mails become files in the outbox, and nobody gets them.';
    return [isPublic(config) ? warning(text, 'Set CONCORD_SMTP_URL to your mail server.') : note(text)];
  }
  const { hostname, port, protocol, username } = new URL(url);
  const server = `The mail server ${hostname}${port === '' ? '' : `:${port}`}`;
  const findings = allOf([
    protocol === 'smtp:' &&
      username !== '' &&
      isPublic(config) &&
      note(
        `${server} gets the password over TLS only if it offers STARTTLS.`,
        'Use smtps://, if the server has it.',
      ),
  ]);
  try {
    await probeServer(url, patienceMs);
    return [ok(`${server} ${username === '' ? 'answers' : 'accepts the user and password'}.`), ...findings];
  } catch (problem) {
    const { message, code } = problem as NodeJS.ErrnoException;
    const action =
      code === 'EAUTH'
        ? 'Correct the user and password in CONCORD_SMTP_URL.'
        : 'Check the host, the port and the TLS of CONCORD_SMTP_URL. Mail waits for three days.';
    return [error(`${server} cannot be used: ${plain(message)}.`, action), ...findings];
  }
}

/** OpenSSL's text has a path of its source, and ends a line. */
const plain = (message: string): string => {
  const reason = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1];
  return reason === undefined ? message : `TLS fails (${reason})`;
};

const oldMailSeconds = 600;

export function judgeMailQueue({
  waiting,
  failing,
  oldest_age_seconds: age,
}: Pick<MailQueue, 'waiting' | 'failing' | 'oldest_age_seconds'>): Finding {
  if (waiting === 0 || age === null) return ok('No mail waits.');
  const text = `Waiting: ${countOf(waiting, 'mail')}, the oldest for ${secondsOf(age * 1_000)}. The last attempt of ${failing} failed.`;
  if (failing === 0 && age < oldMailSeconds) return ok(text);
  return warning(
    text,
    'select id, attempts, next_at, last_error from mail order by next_at shows why. Mail that fails for three days is dropped.',
  );
}

/** Names of receivers are not looked up: that would tell others about them. */
export async function checkEgress(config: Config): Promise<readonly Finding[]> {
  const {
    CONCORD_BASE_URL: base,
    CONCORD_SMTP_URL: smtp,
    CONCORD_OIDC_ISSUER: issuer,
    CONCORD_WEBHOOK_PROXY_URL: proxy,
  } = config;
  const urls = [base, smtp, issuer, proxy?.href ?? null].filter((url) => url !== null);
  const names = [...new Set(urls.map((url) => new URL(url).hostname))].filter(
    (name) => isIP(name.replace(/^\[|\]$/g, '')) === 0,
  );
  const answers = await Promise.all(names.map(resolves));
  const found = names.filter((_, index) => answers[index]);
  return allOf([
    found.length > 0 && ok(`Names resolve: ${found.join(', ')}.`),
    names.length === 0 && note('No setting has a name to look up, so the resolver was not tried.'),
    ...names.map(
      (name) =>
        !found.includes(name) &&
        warning(
          `The name ${name} cannot be resolved here.`,
          'Check the name and the resolver of this machine (/etc/resolv.conf).',
        ),
    ),
    proxy && (await tryProxy(proxy)),
  ]);
}

const resolves = (name: string): Promise<boolean> =>
  within(
    patienceMs,
    lookup(name).then(
      () => true,
      () => false,
    ),
    () => false,
  );

async function tryProxy({ hostname, port, protocol }: URL): Promise<Finding> {
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  const place = `The egress proxy ${hostname}:${number}`;
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: number });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(patienceMs) });
    return ok(`${place} accepts connections.`);
  } catch (problem) {
    return error(
      `${place} cannot be reached (${reasonOf(problem as NodeJS.ErrnoException)}): no webhook is sent.`,
      'Start it, or correct CONCORD_WEBHOOK_PROXY_URL.',
    );
  } finally {
    socket.destroy();
  }
}

/** A firewall that drops packets brings no error. */
export const reasonOf = ({ code, message }: NodeJS.ErrnoException): string =>
  code === 'ABORT_ERR' ? `no answer within ${patienceMs / 1_000} s` : (code ?? message);
