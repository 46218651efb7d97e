// Writes the two structures in DER that Concord makes: a request for a certificate (RFC 2986) and a certificate (RFC
// 5280).
import { type KeyObject, sign } from 'node:crypto';

const tags = { integer: 0x02, bits: 0x03, bytes: 0x04, oid: 0x06, utf8: 0x0c, utcTime: 0x17, time: 0x18 };
/** Encoded, in hexadecimal. */
const oids = {
  commonName: '550403',
  keyUsage: '551d0f',
  basicConstraints: '551d13',
  extendedKeyUsage: '551d25',
  clientAuthentication: '2b06010505070302',
  ecdsaWithSha256: '2a8648ce3d040302',
};
const [sequenceTag, setTag] = [0x30, 0x31];
/** A context-specific tag of a structure. */
const context = (number: number, ...parts: Buffer[]) => tagged(0xa0 | number, ...parts);
const sequence = (...parts: Buffer[]) => tagged(sequenceTag, ...parts);

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return [0x80 | bytes.length, ...bytes];
}

const oid = (name: keyof typeof oids) => tagged(tags.oid, Buffer.from(oids[name], 'hex'));
const integer = (bytes: Buffer) => tagged(tags.integer, bytes);
const bits = (bytes: Buffer, unused = 0) => tagged(tags.bits, Buffer.from([unused]), bytes);
const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' });
const nameOf = (commonName: string) =>
  sequence(tagged(setTag, sequence(oid('commonName'), tagged(tags.utf8, Buffer.from(commonName)))));

/** Two digits of the year until 2049 (RFC 5280, section 4.1.2.5). */
function time(at: Date): Buffer {
  const text = `${at.toISOString().replace(/[-:T]|\..*/g, '')}Z`;
  return at.getUTCFullYear() < 2050
    ? tagged(tags.utcTime, Buffer.from(text.slice(2)))
    : tagged(tags.time, Buffer.from(text));
}

const ecdsaWithSha256 = sequence(oid('ecdsaWithSha256'));
const critical = Buffer.from([0x01, 0x01, 0xff]);
const extension = (id: keyof typeof oids, value: Buffer, isCritical: boolean) =>
  sequence(oid(id), ...(isCritical ? [critical] : []), tagged(tags.bytes, value));
/** No authority, for digital signatures, for the clients of TLS. */
const extensions = sequence(
  extension('basicConstraints', sequence(), true),
  extension('keyUsage', bits(Buffer.from([0x80]), 7), true),
  extension('extendedKeyUsage', sequence(oid('clientAuthentication')), false),
);

const signed = (content: Buffer, key: KeyObject) =>
  sequence(content, ecdsaWithSha256, bits(sign('sha256', content, key)));

const toPem = (label: string, der: Buffer) =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`;

/** PEM. Both keys are of one pair, on P-256. */
export function makeRequest(subject: string, publicKey: KeyObject, privateKey: KeyObject): string {
  const version1 = integer(Buffer.from([0]));
  const info = sequence(version1, nameOf(subject), spki(publicKey), context(0));
  return toPem('CERTIFICATE REQUEST', signed(info, privateKey));
}

type Content = Readonly<{
  /** Common names. */
  subject: string;
  issuer: string;
  /** Positive, without leading zeros. */
  serial: Buffer;
  notBefore: Date;
  notAfter: Date;
  publicKey: KeyObject;
}>;

/** PEM. A certificate of a client of TLS. `issuerKey`: on P-256. */
export function makeX509(
  { subject, issuer, serial, notBefore, notAfter, publicKey }: Content,
  issuerKey: KeyObject,
): string {
  const version3 = context(0, integer(Buffer.from([2])));
  const validity = sequence(time(notBefore), time(notAfter));
  const names = [nameOf(issuer), validity, nameOf(subject)];
  const serialAndAlgorithm = [integer(serial), ecdsaWithSha256];
  const content = sequence(
    version3,
    ...serialAndAlgorithm,
    ...names,
    spki(publicKey),
    context(3, extensions),
  );
  return toPem('CERTIFICATE', signed(content, issuerKey));
}
