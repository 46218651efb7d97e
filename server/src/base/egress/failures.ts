// Why a request has no answer: a reason, and words that the partner may read.

export type FailureReason =
  | 'address_refused'
  | 'dns'
  | 'connection'
  | 'tls'
  | 'tls_client'
  | 'token'
  | 'timeout'
  | 'invalid_answer'
  | 'proxy'
  | 'internal';
export type Failure = { readonly reason: FailureReason; readonly detail: string };

/** The codes of our own errors, among those of Node. Their messages are public. */
export const refusedCode = 'ERR_ADDRESS_REFUSED';
export const proxyCode = 'ERR_PROXY_REFUSED';
export const largeHandshakeCode = 'ERR_TLS_LARGE_HANDSHAKE';
export const tlsOverheadCode = 'ERR_TLS_OVERHEAD';

const words: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name has no address',
  ENODATA: 'the name has no address',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  HPE_HEADER_OVERFLOW: 'the header section of the answer is larger than 16 KiB',
  [largeHandshakeCode]: 'the TLS handshake of the receiver has more than 16 KiB',
  [tlsOverheadCode]: 'TLS has more than 128 KiB beside the answer',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_REVOKED: 'the certificate is revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate chain has a self-signed certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate chain is incomplete, or its authority is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate chain is incomplete, or its authority is not trusted',
};
const wordsOfReason = {
  dns: 'the look-up of the name failed',
  connection: 'the connection failed',
  tls: 'the TLS handshake failed',
  invalid_answer: 'the answer is not HTTP/1.1',
} as const;

/**
 * The alerts of TLS that a server sends about the certificate of its client (RFC 8446, section 6.2; 41 is of SSL 3,
 * and in use).
 */
const clientAlerts: Readonly<Record<number, string>> = {
  40: 'the receiver demands a client certificate, or accepts no such one (HANDSHAKE_FAILURE)',
  41: 'the receiver demands a client certificate (NO_CERTIFICATE)',
  42: 'the receiver refuses the client certificate (BAD_CERTIFICATE)',
  43: 'the receiver accepts no client certificate of this kind (UNSUPPORTED_CERTIFICATE)',
  44: 'the receiver says that the client certificate is revoked (CERTIFICATE_REVOKED)',
  45: 'the receiver says that the client certificate has expired (CERTIFICATE_EXPIRED)',
  46: 'the receiver refuses the client certificate (CERTIFICATE_UNKNOWN)',
  48: 'the receiver does not trust the issuer of the client certificate (UNKNOWN_CA)',
  49: 'the receiver knows the client certificate, and denies it access (ACCESS_DENIED)',
  116: 'the receiver demands a client certificate (CERTIFICATE_REQUIRED)',
};

/** What is known of the connection. A kept one has `begun`. */
export type Handshake = {
  /** `agreed`: both have keys, so the server has sent its certificate. `done`: as the client sees it. */
  readonly state: 'begun' | 'agreed' | 'done';
  readonly hasClientCertificate: boolean;
};

/** A refusal of the client, which TLS 1.3 brings only after the handshake. */
export function clientFailureOf(
  { code, message }: NodeJS.ErrnoException,
  { state, hasClientCertificate }: Handshake,
): Failure | null {
  // OpenSSL writes it into the message. Codes of Node differ for the same alert.
  const alert = Number(/SSL alert number (\d+)/.exec(message)?.[1]);
  // Before the server's certificate it is about versions and ciphers, and after the handshake about another one.
  const detail = alert === 40 && state !== 'agreed' ? undefined : clientAlerts[alert];
  if (detail !== undefined) return { reason: 'tls_client', detail };
  // Some servers, such as Node, send no alert.
  if (state !== 'begun' && hasClientCertificate && (code === 'ECONNRESET' || code === 'EPIPE'))
    return {
      reason: 'tls_client',
      detail: `the receiver closed the connection when it had the client certificate, which it probably refuses (${code})`,
    };
  return null;
}

/**
 * Node's messages are not shown. They have addresses, paths of OpenSSL's source, or text of the receiver's
 * certificate.
 */
export function failureOf(error: NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }): Failure {
  const { code = '' } = error.errors?.[0] ?? error;
  if (code === refusedCode) return { reason: 'address_refused', detail: error.message };
  if (code === proxyCode) return { reason: 'proxy', detail: error.message };
  const reason = reasonOf(code);
  const shown = /^[A-Z][A-Z0-9_]{0,99}$/.test(code) ? code : 'unknown';
  return { reason, detail: `${words[code] ?? wordsOfReason[reason]} (${shown})` };
}

function reasonOf(code: string): keyof typeof wordsOfReason {
  if (['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA'].includes(code)) return 'dns';
  if (code.startsWith('HPE_')) return 'invalid_answer';
  if (
    /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_|EPROTO$)|CERT|CRL_/.test(
      code,
    )
  )
    return 'tls';
  return 'connection';
}
