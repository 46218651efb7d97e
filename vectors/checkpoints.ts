// Generates vectors/checkpoints.json: Merkle roots, and checkpoints that a receiver must accept or refuse.
import { createHash } from 'node:crypto';
import { type KeyName, kid, otherPartnerId, partnerId, publicJwk, sign } from './request.ts';

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** As RFC 9162, section 2.1.1, writes it. */
function treeHash(entries: readonly string[]): Buffer {
  const [first] = entries;
  if (first === undefined) return sha256();
  if (entries.length === 1) return sha256(Buffer.of(0), Buffer.from(first));
  let k = 1;
  while (2 * k < entries.length) k *= 2;
  return sha256(Buffer.of(1), treeHash(entries.slice(0, k)), treeHash(entries.slice(k)));
}

const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => `evt_01kdv${String(index).padStart(21, '0')}`);
const rootOf = (entries: readonly string[]) => treeHash(entries).toString('hex');

const endpointId = 'whe_01kdv0000000000000000000';
const statement = {
  checkpoint_id: 'cpt_01kdv0000000000000000001',
  endpoint_id: endpointId,
  partner_id: partnerId,
  environment: 'live',
  previous_id: 'cpt_01kdv0000000000000000000',
  covers_from: '2026-01-01T00:00:00.000Z',
  covers_until: '2026-01-01T01:00:00.000Z',
  created_at: '2026-01-01T01:00:00.020Z',
  count: 7,
  delivered: 6,
  pending: 1,
  failed: 0,
  cancelled: 0,
  root: rootOf(ids(7)),
};

type Plan = {
  header?: object;
  payload?: object | string;
  key?: KeyName;
  edit?: (parts: readonly string[]) => readonly string[];
};
const encode = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function makeJws({ header = {}, payload = statement, key = 'active', edit = (parts) => parts }: Plan = {}) {
  const type = { alg: 'ES384', kid: kid(key), typ: 'concord-checkpoint+jws' };
  const signed = `${encode({ ...type, ...header })}.${encode(payload)}`;
  const signature = Buffer.from(sign(signed, key)).toString('base64url');
  return edit([...signed.split('.'), signature]).join('.');
}

const refuse = (name: string, code: string, step: string, plan: Plan | string) => ({
  name,
  accept: false,
  code,
  step,
  jws: typeof plan === 'string' ? plan : makeJws(plan),
});
const malformed = (name: string, plan: Plan | string) =>
  refuse(name, 'checkpoint_invalid', 'checkpoint', plan);
const unsigned = (name: string, plan: Plan) => refuse(name, 'signature_invalid', 'verify', plan);

const cases = [
  { name: 'a checkpoint', accept: true, jws: makeJws() },
  {
    name: 'the first of its chain',
    accept: true,
    jws: makeJws({ payload: { ...statement, previous_id: null } }),
  },
  {
    name: 'a member that is not known yet',
    accept: true,
    jws: makeJws({ payload: { ...statement, more: 1 } }),
  },
  { name: 'the key that comes next', accept: true, jws: makeJws({ key: 'successor' }) },
  unsigned('another count', {
    edit: ([header = '', , signature = '']) => [header, encode({ ...statement, count: 6 }), signature],
  }),
  unsigned('the signature of another text', {
    edit: ([header = '', payload = '']) => [header, payload, makeJws({ payload: {} }).split('.')[2] ?? ''],
  }),
  unsigned('a signature of zeros', {
    edit: ([header = '', payload = '']) => [header, payload, 'A'.repeat(128)],
  }),
  refuse('the key of the sandbox', 'key_unknown', 'find_key', { key: 'sandbox' }),
  refuse('another partner', 'partner_mismatch', 'partner', {
    payload: { ...statement, partner_id: otherPartnerId },
  }),
  malformed('another endpoint', { payload: { ...statement, endpoint_id: 'whe_01kdv0000000000000000009' } }),
  malformed('the alg none', { header: { alg: 'none' }, edit: (parts) => [...parts.slice(0, 2), ''] }),
  malformed('the alg HS384', { header: { alg: 'HS384' } }),
  malformed('a JWT', { header: { typ: 'JWT' } }),
  malformed('no typ', { header: { typ: undefined } }),
  malformed('no kid', { header: { kid: undefined } }),
  malformed('a critical extension', { header: { crit: ['b64'], b64: false } }),
  malformed('no root', { payload: { ...statement, root: undefined } }),
  malformed('a count that is no number', { payload: { ...statement, count: '7' } }),
  malformed('a payload that is no JSON', { payload: 'text' }),
  malformed('a payload that is a list', { payload: [statement] }),
  malformed('a signature in DER, which is longer', {
    edit: (parts) => [...parts.slice(0, 2), 'A'.repeat(138)],
  }),
  malformed('four parts', { edit: (parts) => [...parts, ''] }),
  malformed('padding', { edit: ([header = '', ...parts]) => [`${header}=`, ...parts] }),
  malformed('nothing', ''),
];

/** The content of the file. The same on every run. */
export function generateCheckpointVectors(): string {
  const document = {
    about: 'Checkpoints that a receiver must accept or refuse. Generated: see README.md in this folder.',
    jwks: { keys: [publicJwk('p256'), publicJwk('successor'), publicJwk('active')] },
    partner_id: partnerId,
    endpoint_id: endpointId,
    statement,
    roots: [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31].map((count) => ({
      entries: ids(count),
      root: rootOf(ids(count)),
    })),
    cases,
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}
