// What a client certificate is: which ones are accepted, what is shown, and how Concord makes one. Pure.
import {
  createPrivateKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  sign,
  verify,
  X509Certificate,
} from 'node:crypto';
import { promisify } from 'node:util';
import { isUsable, type KeyPair } from '../../../base/egress/index.ts';
import { invalidRequest } from '../../../base/errors.ts';
import { cut } from '../../../base/text.ts';
import { makeRequest, makeX509 } from './der.ts';
import type { ClientCertificate } from './schema.ts';

const generate = promisify(generateKeyPair);

const maxCertificates = 5;
const maxNameLength = 500;
/** A larger key would block the process in each handshake. */
const rsaBits = { least: 2_048, most: 4_096 };
const curves = ['prime256v1', 'secp384r1', 'secp521r1'];
const madeForMs = 730 * 24 * 3_600_000;
/** Clocks of receivers differ. */
const madeBeforeMs = 3_600_000;

/** The certificate as it is shown, and what TLS needs. */
type Read = Readonly<{ shown: Omit<ClientCertificate, 'csr' | 'made_by_concord'>; pair: KeyPair }>;

/** @throws ServiceError invalid_request */
export function readCertificate(certificate: string, privateKey: string, now: Date): Read {
  const [leaf, ...authorities] = readChain(certificate);
  const key = readKey(privateKey);
  if (!fits(leaf, key)) throw invalidRequest('/certificate', 'must be for the private key');
  // By the texts: the dates of a time that does not exist, such as 30 February, are any dates.
  if ([leaf.validFrom, leaf.validTo].some((text) => Number.isNaN(Date.parse(text))))
    throw invalidRequest('/certificate', 'must have valid times');
  if (leaf.validToDate <= now)
    throw invalidRequest('/certificate', `must not have expired; it ended ${leaf.validTo}`);
  const pair = {
    certificate: [leaf, ...authorities].join(''),
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  if (!isUsable(pair)) throw invalidRequest('/certificate', 'must be a certificate that TLS accepts');
  const shown = {
    subject: toLine(leaf.subject),
    issuer: toLine(leaf.issuer),
    serial: leaf.serialNumber,
    not_before: leaf.validFromDate.toISOString(),
    not_after: leaf.validToDate.toISOString(),
    fingerprint_sha256: leaf.fingerprint256,
    certificate: pair.certificate,
  };
  return { shown, pair };
}

/** Any text can stand in a name. It is undefined if the name is empty. */
const toLine = (text: string | undefined) =>
  cut((text ?? '').replaceAll('\n', ', ').replace(/\p{Cc}/gu, '\ufffd'), maxNameLength);

/** Only the certificates of the text: it can have others lines, and must not have a key. */
function readChain(text: string): [X509Certificate, ...X509Certificate[]] {
  const refuse = (problem: string): never => {
    throw invalidRequest('/certificate', problem);
  };
  if (text.includes('PRIVATE KEY')) refuse('must not have a private key');
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length > maxCertificates) refuse(`must have at most ${maxCertificates} certificates`);
  const [leaf, ...authorities] = blocks.map((block) => {
    try {
      return new X509Certificate(block);
    } catch {
      return refuse('must be an X.509 certificate in PEM');
    }
  });
  if (!leaf) return refuse('must be an X.509 certificate in PEM: -----BEGIN CERTIFICATE-----');
  let child = leaf;
  for (const authority of authorities) {
    if (!child.checkIssued(authority)) refuse('must have each certificate before the one of its issuer');
    child = authority;
  }
  return [leaf, ...authorities];
}

/** One block: OpenSSL would try each of a text. */
const keyForm = /-----BEGIN (RSA |EC |)PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END \1PRIVATE KEY-----/;
const length = '(?:[0-7].|81..|82....)';
/**
 * How a key of each label begins, in hexadecimal: in PKCS #8 (RFC 5958) with the algorithm RSA, EC or Ed25519. OpenSSL
 * takes PKCS #8 for any label, and computes the public key of other algorithms, such as DSA, whose numbers have any
 * size: that would stop the process for 10 seconds.
 */
const encodings = {
  '': {
    type: 'pkcs8',
    start: `0201..30${length}06(?:092a864886f70d010101|072a8648ce3d0201|032b6570)`,
  },
  'RSA ': { type: 'pkcs1', start: '02010002' },
  'EC ': { type: 'sec1', start: '02010104' },
} as const;

function readKey(text: string): KeyObject {
  const refuse = (problem: string): never => {
    throw invalidRequest('/private_key', problem);
  };
  const kinds = `must be RSA with ${rsaBits.least} to ${rsaBits.most} bits, P-256, P-384, P-521 or Ed25519`;
  if (text.includes('ENCRYPTED')) refuse('must not be encrypted: remove its passphrase first');
  const [, label, base64 = ''] = keyForm.exec(text) ?? refuse('must be a private key in PEM');
  const { type, start } = encodings[label as keyof typeof encodings];
  const der = Buffer.from(base64, 'base64');
  if (!new RegExp(`^30${length}${start}`).test(der.toString('hex', 0, 40))) refuse(kinds);
  const key = (() => {
    try {
      return createPrivateKey({ key: der, format: 'der', type });
    } catch {
      return refuse('must be a private key in PEM');
    }
  })();
  const { asymmetricKeyType: kind, asymmetricKeyDetails: { modulusLength = 0, namedCurve = '' } = {} } = key;
  const isAllowed =
    kind === 'ed25519' ||
    (kind === 'ec' && curves.includes(namedCurve)) ||
    (kind === 'rsa' && modulusLength >= rsaBits.least && modulusLength <= rsaBits.most);
  if (!isAllowed) refuse(kinds);
  return key;
}

/** Also a signature: parts of a private key can contradict each other. */
function fits(leaf: X509Certificate, key: KeyObject): boolean {
  try {
    const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
    const probe = Buffer.from('concord');
    return leaf.checkPrivateKey(key) && verify(algorithm, probe, leaf.publicKey, sign(algorithm, probe, key));
  } catch {
    return false;
  }
}

/** A new key with a certificate that it signed itself, and a request for one that an authority signs. */
export async function makeCertificate(name: string, now: Date): Promise<KeyPair & { readonly csr: string }> {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: 'P-256' });
  const content = {
    subject: name,
    issuer: name,
    // The first byte keeps it positive and without leading zeros.
    serial: Buffer.concat([Buffer.from([0x40]), randomBytes(15)]),
    notBefore: new Date(now.getTime() - madeBeforeMs),
    notAfter: new Date(now.getTime() + madeForMs),
    publicKey,
  };
  return {
    certificate: makeX509(content, privateKey),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    csr: makeRequest(name, publicKey, privateKey),
  };
}
