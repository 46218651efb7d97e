// A software authenticator: makes ES256 passkeys, and signs challenges as a browser and its authenticator do. Each part
// of what it signs can be made wrong.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const origin = 'http://concord.test';
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const text64 = (data: string | Buffer) => Buffer.from(data).toString('base64url');

/** CBOR (RFC 8949) of the few types that WebAuthn needs. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([key, member]) => [cbor(key), cbor(member as string)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}
function head(type: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(type << 5) | length]);
  if (length < 256) return Buffer.from([(type << 5) | 24, length]);
  return Buffer.from([(type << 5) | 25, length >> 8, length & 255]);
}

type Said = {
  challenge: string;
  origin?: string;
  rpId?: string;
  verifiesUser?: boolean;
  counter?: number;
  crossOrigin?: boolean;
  type?: string;
};

export function createAuthenticator({ counts = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(16);
  const id = text64(credentialId);
  let counter = 0;
  let userHandle = '';

  function clientData(type: string, { challenge, origin: page = origin, crossOrigin = false }: Said) {
    return Buffer.from(JSON.stringify({ type, challenge, origin: page, crossOrigin }));
  }
  function authenticatorData(
    { rpId = 'concord.test', verifiesUser = true, ...said }: Said,
    attested = false,
  ) {
    if (counts) counter += 1;
    // UP, UV, AT.
    const flags = 0x01 | (verifiesUser ? 0x04 : 0) | (attested ? 0x40 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(said.counter ?? counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  }
  const key = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
  const credential = <R extends object>(response: R) => ({
    id,
    rawId: id,
    type: 'public-key',
    response,
    clientExtensionResults: {},
  });

  return {
    id,
    /** `attestation`: its format and statement. */
    create(
      options: { challenge: string; user: { id: string } },
      wrong: Partial<Said> = {},
      attestation = none,
    ) {
      const said = { challenge: options.challenge, ...wrong };
      userHandle = options.user.id;
      const authData = Buffer.concat([
        authenticatorData(said, true),
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        cbor(key),
      ]);
      const object = new Map<string, unknown>([...attestation, ['authData', authData]]);
      return credential({
        clientDataJSON: text64(clientData(said.type ?? 'webauthn.create', said)),
        attestationObject: text64(cbor(object)),
        transports: ['internal'],
      });
    },
    get(options: { challenge: string }, wrong: Partial<Said> & { userHandle?: string } = {}) {
      const said = { challenge: options.challenge, ...wrong };
      const data = authenticatorData(said);
      const json = clientData(said.type ?? 'webauthn.get', said);
      return credential({
        clientDataJSON: text64(json),
        authenticatorData: text64(data),
        signature: text64(sign('sha256', Buffer.concat([data, sha256(json)]), privateKey)),
        userHandle: wrong.userHandle ?? userHandle,
      });
    },
  };
}
const none: [string, unknown][] = [
  ['fmt', 'none'],
  ['attStmt', new Map()],
];
