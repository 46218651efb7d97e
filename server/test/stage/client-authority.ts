// An authority that signs client certificates, and receivers that demand one of it. For tests only.
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { makeX509 } from '../../src/webhooks/endpoints/client-certificate/der.ts';
import { tlsForTests } from './tls.ts';

export const authority = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGIwW4ZuacTQizQmg
ClKkt10+c9PFdWLrCKXglimhRMqhRANCAARQR/TVSDE/1HayTXPJr3nkFNh1gaul
7BMpCHb7wi38l0+Fw/vLsNNR11Ppby22i+qZx0I+5OQovhCfL6Q6+mn7
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBijCCAS+gAwIBAgIUZDQAfdlC5SzB3qXmEK5ZzhcdgLgwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOVEVTVCBBVVRIT1JJVFkwIBcNMjYxMTI1MDMwMjU5WhgPMjEy
NjExMDEwMzAyNTlaMBkxFzAVBgNVBAMMDlRFU1QgQVVUSE9SSVRZMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEUEf01UgxP9R2sk1zya955BTYdYGrpewTKQh2+8It
/JdPhcP7y7DTUddT6W8ttovqmcdCPuTkKL4Qny+kOvpp+6NTMFEwHQYDVR0OBBYE
FOOmpako5qbH2OAIqb/EtkPZhgHMMB8GA1UdIwQYMBaAFOOmpako5qbH2OAIqb/E
tkPZhgHMMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhANTiNikq
nA72CaIkPM9jAoAAL0r92AbTiEELnuWYGzk4AiEAnVDYepHAWXbhmnASLfzkviN3
kI6EJVdSUfF5JEyxV7w=
-----END CERTIFICATE-----`,
};
const dayMs = 24 * 3_600_000;

type Issued = {
  name?: string;
  publicKey: KeyObject;
  notBefore?: number;
  notAfter?: number;
  issuer?: string;
  issuerKey?: string;
};

/** Times in milliseconds from now. */
export const issue = ({
  name = 'the client',
  publicKey,
  notBefore = -dayMs,
  notAfter = dayMs,
  issuer = 'TEST AUTHORITY',
  issuerKey = authority.key,
}: Issued) =>
  makeX509(
    {
      subject: name,
      issuer,
      serial: Buffer.concat([Buffer.from([1]), randomBytes(8)]),
      notBefore: new Date(Date.now() + notBefore),
      notAfter: new Date(Date.now() + notAfter),
      publicKey,
    },
    createPrivateKey(issuerKey),
  );

export function issuePair(others: Omit<Issued, 'publicKey'> = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { certificate: issue({ publicKey, ...others }), privateKey: key };
}

/** A certificate that no authority has signed. */
export const issueUntrusted = () => issuePair({ issuer: 'ANOTHER', issuerKey: issuePair().privateKey });

/** A receiver that takes only requests of clients with a certificate of the authority. */
export const createGuarded = (listener: RequestListener, others: ServerOptions = {}) =>
  createServer(
    { ...tlsForTests, ca: authority.cert, requestCert: true, rejectUnauthorized: true, ...others },
    listener,
  );
