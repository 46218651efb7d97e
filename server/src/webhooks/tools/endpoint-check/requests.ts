// The requests of a check: correct ones as deliveries are, and one for each fault that a receiver must refuse.
import { generateKeyPair, hash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { newId } from '../../../base/ids.ts';
import { maxBatchBytes } from '../../delivering/batches/choose.ts';
import { signAttempt } from '../../delivering/sign.ts';
import { bodyFor, type Payload } from '../../endpoints/payload.ts';
import type { SharedKeys } from '../../endpoints/secrets.ts';
import { standardHeaders } from '../../endpoints/signing-secret.ts';
import type { Environment } from '../../environments.ts';
import { type Signer, signWithNode } from '../../signing-keys/index.ts';
import type { CaseName } from './check.ts';

const generate = promisify(generateKeyPair);

/** The largest body that an event with data has. */
const largestBytes = 257 * 1024;
const staleMs = 15 * 60_000;
/** Nobody can have this host (RFC 6761), so no receiver accepts what is signed for it. */
const foreignOrigin = 'https://another-receiver.invalid';

type Headers = Readonly<Record<string, string>>;

/** What another endpoint gets is signed with its secret. */
const foreignSecret = new Set<CaseName>([
  'refuses_wrong_signature',
  'refuses_foreign_url',
  'refuses_unknown_key',
]);

/** Ids are those of the wire. */
type Sample = Readonly<{
  url: URL;
  environment: Environment;
  partnerId: string;
  /** The event of the requests that are one delivery. */
  eventId: string;
  /** The batch of these requests. Null: the endpoint gets events alone. */
  batch: Readonly<{ id: string; maxEvents: number }> | null;
  type: string;
  example: unknown;
  payload: Payload;
  userAgent: string;
  /** The active key of the environment. */
  key: Signer;
  now: Date;
  secret: SharedKeys | null;
}>;

export async function prepare(
  name: CaseName,
  sample: Sample,
): Promise<Readonly<{ headers: Headers; body: Buffer }>> {
  const { key, now, partnerId, url } = sample;
  const isDelivery = name === 'accepts_good' || name === 'accepts_same_delivery_twice';
  const eventId = isDelivery ? sample.eventId : newId('event');
  const id = sample.batch === null ? eventId : isDelivery ? sample.batch.id : newId('batch');
  const partner = name === 'refuses_foreign_partner' ? newId('partner') : partnerId;
  const text = toBody(sample, eventId, partner);
  const body = Buffer.from(
    name === 'accepts_largest_body' ? largest(sample, text) : toRequestBody(sample, text),
  );
  const { headers: signed, created } = await signAttempt({
    // Joined as text: a path that begins with // would name a host.
    url: name === 'refuses_foreign_url' ? new URL(foreignOrigin + url.pathname) : url,
    body,
    id,
    attempt: name === 'accepts_same_delivery_twice' ? 2 : 1,
    userAgent: sample.userAgent,
    key: name === 'refuses_unknown_key' ? await createUnknownKey() : key,
    nowMs: now.getTime() - (name === 'refuses_stale' ? staleMs : 0),
  });
  const standard = sample.secret && standardHeaders(sample.secret, { id, created, body });
  const foreign = standard && foreignSecret.has(name) && { 'webhook-signature': foreignSignature() };
  const headers = { ...signed, ...standard, ...foreign };
  if (name === 'refuses_missing_signature') return { headers: withoutSignature(headers), body };
  if (name === 'refuses_wrong_signature') return { headers: withWrongSignature(headers), body };
  if (name === 'refuses_changed_body')
    return { headers, body: Buffer.from(toRequestBody(sample, toBody(later(sample), eventId, partner))) };
  return { headers, body };
}

/** Another event, as long as the first. */
const later = (sample: Sample): Sample => ({ ...sample, now: new Date(sample.now.getTime() + 1) });

/** As a delivery has it (webhooks/publishing/store.ts). */
const toBody = ({ type, environment, now, example, payload }: Sample, id: string, partner: string): string =>
  bodyFor(
    payload,
    JSON.stringify({
      id,
      type,
      created_at: now.toISOString(),
      partner_id: partner,
      environment,
      data: example,
    }),
  );

/** As the endpoint gets it: alone, or in a batch. */
const toRequestBody = ({ batch }: Sample, text: string): string => (batch === null ? text : `[${text}]`);

function largest(sample: Sample, text: string): string {
  if (sample.payload === 'thin') return toRequestBody(sample, text);
  const event = padded(text);
  if (sample.batch === null) return event;
  const others = Math.min(sample.batch.maxEvents, Math.floor(maxBatchBytes / largestBytes)) - 1;
  const events = Array.from({ length: others }, () =>
    padded(toBody(sample, newId('event'), sample.partnerId)),
  );
  return `[${[event, ...events].join(',')}]`;
}

/** Spaces change no value, so the data still fits the schema of its type. */
const padded = (text: string): string =>
  `${text.slice(0, -1)}${' '.repeat(Math.max(0, largestBytes - Buffer.byteLength(text)))}}`;

function withoutSignature(headers: Headers): Headers {
  const {
    signature: _signature,
    'signature-input': _input,
    'webhook-signature': _standard,
    ...others
  } = headers;
  return others;
}

const foreignSignature = () => `v1,${randomBytes(32).toString('base64')}`;

/** The bytes of a signature over another text. */
function withWrongSignature(headers: Headers): Headers {
  const signature = String(headers.signature);
  const bytes = Buffer.from(signature.slice(signature.indexOf(':') + 1, -1), 'base64');
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  return { ...headers, signature: `sig1=:${bytes.toString('base64')}:` };
}

/** No JWKS has it. */
async function createUnknownKey(): Promise<Signer> {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: 'P-384' });
  const kid = hash('sha256', publicKey.export({ format: 'der', type: 'spki' }), 'base64url');
  return { kid, sign: signWithNode(privateKey) };
}
