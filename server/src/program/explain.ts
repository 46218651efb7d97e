// What a command or a start that failed says: our own errors say what to do, and unexpected ones show their stack.
import { toHarmless } from '../base/log.ts';
import { ConfigError, type Environment } from './config.ts';

/** What the driver says without a code, and what fails before it has a connection. */
const unanswered =
  /^(timeout expired|Connection terminated|The server does not support SSL|SASL|connect E|getaddrinfo E)/;
/** Codes of sockets and certificates. */
const unreached = /^(ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_TLS_)|_CERT|^CERT_/;
/** SQLSTATE: connections, wrong passwords, unknown databases, and servers that start or stop. */
const unavailable = /^(08|28|3D|57P)/;
const diskFull = '53100';
const insufficientPrivilege = '42501';

export function explain(error: unknown, environment: Environment): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError) return `${error.message}\ndocs/configuration.md describes every setting.`;
  const { code, path } = error as NodeJS.ErrnoException;
  const message = toHarmless(error.message) || String(code);
  if (code === diskFull)
    return `The disk of the database is full: ${message}. Make space there, and try again.`;
  if (code === insufficientPrivilege)
    return `The database refused: ${message}. The role in DATABASE_URL must own the database.`;
  if ('severity' in error && !unavailable.test(String(code))) return `The database refused: ${message}.`;
  if ('severity' in error || unreached.test(String(code)) || unanswered.test(message))
    return `The database is not available: ${message}. ${whereToLook(environment)}`;
  // A file that a setting or an option names.
  if (path !== undefined) return message;
  return error.constructor === Error && code === undefined ? error.message : (error.stack ?? error.message);
}

const whereToLook = ({ DATABASE_URL: url, DATABASE_URL_FILE: file }: Environment): string =>
  url || file ? 'Check DATABASE_URL.' : 'Look into its log in postgres/log of the data directory.';
