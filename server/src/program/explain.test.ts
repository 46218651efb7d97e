// What a start that failed says.
import { expect, it } from 'vitest';
import type { Environment } from './config.ts';
import { explain } from './explain.ts';

const of = (
  message: string,
  members: object,
  environment: Environment = { DATABASE_URL: 'postgres://db/concord' },
) => explain(Object.assign(new Error(message), members), environment);

it('O76: a database that cannot be reached names DATABASE_URL, without a stack', () => {
  const unreached = [
    of('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED' }),
    of('getaddrinfo ENOTFOUND db', { code: 'ENOTFOUND' }),
    of('getaddrinfo EAI_AGAIN db', { code: 'EAI_AGAIN' }),
    of('connect ENOENT /run/.s.PGSQL.5432', { code: 'ENOENT' }),
    of('timeout expired', {}),
    of('Connection terminated unexpectedly', {}),
    of('The server does not support SSL connections', {}),
    of('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', {}),
    of('self-signed certificate in certificate chain', { code: 'SELF_SIGNED_CERT_IN_CHAIN' }),
    of("Hostname/IP does not match certificate's altnames: x", { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }),
    of('password authentication failed for user "concord"', { code: '28P01', severity: 'FATAL' }),
    of('database "x" does not exist', { code: '3D000', severity: 'FATAL' }),
  ];
  for (const text of unreached)
    expect(text).toMatch(/^The database is not available: .*[^.]\. Check DATABASE_URL\.$/);
});

it('O76: the embedded database that does not answer names its log', () => {
  expect(of('timeout expired', {}, {})).toBe(
    'The database is not available: timeout expired. Look into its log in postgres/log of the data directory.',
  );
});

it('O76: a database that refuses is not called unavailable, and a file that is missing has no stack', () => {
  expect(of('permission denied for schema public', { code: '42501', severity: 'ERROR' })).toBe(
    'The database refused: permission denied for schema public. The role in DATABASE_URL must own the database.',
  );
  expect(of('out of shared memory', { code: '53200', severity: 'ERROR' })).toBe(
    'The database refused: out of shared memory.',
  );
  expect(of('could not extend file "x"', { code: '53100', severity: 'ERROR' })).toBe(
    'The disk of the database is full: could not extend file "x". Make space there, and try again.',
  );
  const absent = "ENOENT: no such file or directory, open '/ca.pem'";
  expect(of(absent, { code: 'ENOENT', path: '/ca.pem' })).toBe(absent);
  expect(of('The certificate of an endpoint cannot be read', {})).toBe(
    'The certificate of an endpoint cannot be read',
  );
  expect(of('unexpected', { code: 'ERR_X' })).toContain('explain.test.ts');
});
