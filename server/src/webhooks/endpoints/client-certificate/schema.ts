// The wire of the client certificate of an endpoint (behaviour W72).
import { type Static, Type } from 'typebox';
import { Closed, closed, NullableString, Text, Timestamp } from '../../../base/http/schemas.ts';

const summary = {
  subject: Type.String({ description: 'The name in the certificate' }),
  not_after: Timestamp('When it ends'),
  fingerprint_sha256: Type.String({ description: 'The SHA-256 hash of the certificate, in hexadecimal' }),
};
export const summaryExample = {
  subject: 'CN=concord whe_01h2xcejqtf2nbrexx3vqjhp41',
  not_after: '2028-01-31T08:00:00.000Z',
  fingerprint_sha256:
    '5E:2B:12:0D:86:9E:4B:41:6C:57:7D:0E:5F:0B:57:0F:CB:1C:4F:16:9A:3B:12:0D:86:9E:4B:41:6C:57:7D:0E',
};
export const CertificateSummary = Type.Object(summary, closed);
export type CertificateSummary = Static<typeof CertificateSummary>;

const pem = '-----BEGIN CERTIFICATE-----\nMIIB...\n-----END CERTIFICATE-----\n';
export const ClientCertificate = Closed(
  'ClientCertificate',
  {
    ...summary,
    issuer: Type.String({ description: 'The name of the authority that signed it' }),
    serial: Type.String({ description: 'The serial number, in hexadecimal' }),
    not_before: Timestamp('When it begins'),
    certificate: Type.String({ description: 'The certificate in PEM, with its chain if it was given' }),
    csr: NullableString(
      'The request for a certificate (CSR) in PEM, which an authority can sign. null: the key was not made by Concord',
    ),
    made_by_concord: Type.Boolean({ description: 'Whether Concord made the key' }),
  },
  {
    ...summaryExample,
    issuer: summaryExample.subject,
    serial: '4D1F0A3C5B7E92A86C01D2E3F4A5B6C7',
    not_before: '2026-01-31T07:00:00.000Z',
    certificate: pem,
    csr: pem.replaceAll('CERTIFICATE', 'CERTIFICATE REQUEST'),
    made_by_concord: true,
  },
);
export type ClientCertificate = Static<typeof ClientCertificate>;

export const PutClientCertificate = Closed(
  'PutClientCertificate',
  {
    certificate: Text(
      32_768,
      'The certificate in PEM. The certificates of its issuers can follow, each after the one that it signed: 5 at most',
    ),
    private_key: Type.Optional(
      Text(
        16_384,
        'The private key in PEM, without a passphrase: RSA with 2,048 to 4,096 bits, P-256, P-384, P-521 or Ed25519. It is never shown again. Left out: the key that Concord made stays',
      ),
    ),
  },
  { certificate: pem, private_key: '-----BEGIN PRIVATE KEY-----\nMIGH...\n-----END PRIVATE KEY-----\n' },
);
export type PutClientCertificate = Static<typeof PutClientCertificate>;
