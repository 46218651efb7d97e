// The request of an attempt: digest, id, and a signature over them (behaviour W1). Each attempt gets a new
// signature.
import { hash } from 'node:crypto';
import { component, createSignatureBase, serializeSignatureInput } from '@concord/http-message-signatures';
import { formatId } from '../../base/ids.ts';
import { remember } from '../../base/keep-last.ts';
import type { Environment } from '../environments.ts';
import type { Signer } from '../signing-keys/index.ts';

const algorithm = 'ecdsa-p384-sha384';
const label = 'sig1';
const contentType = 'application/json';
/** The covered components, in this order. The last two bind the body and the event, or the batch. */
const components = ['@method', '@target-uri', 'content-type', 'content-digest', 'webhook-id'].map((name) =>
  component(name),
);

export type Signers = Record<Environment, Signer>;

/** `id`: of the event, or of the batch. */
type Content = { url: URL; body: Buffer; id: string; attempt: number; userAgent: string };
/** `created` in Unix seconds. */
export type Signature = Readonly<{ created: number; keyId: string; signature: Buffer }>;
/** Headers in the order in which they are sent. */
type Headers = Record<string, string>;

/** The `Webhook-Id` of a request. */
export const webhookId = (sent: { event_id: string; batch_id: string | null }): string =>
  sent.batch_id === null ? formatId('event', sent.event_id) : formatId('batch', sent.batch_id);

export async function signAttempt({
  key,
  nowMs,
  ...content
}: Content & { key: Signer; nowMs: number }): Promise<Signature & { headers: Headers }> {
  const terms = { created: Math.floor(nowMs / 1_000), keyId: key.kid };
  const { headers, base } = compose(content, terms);
  const signature = await key.sign(Buffer.from(base));
  return { ...terms, signature, headers: { ...headers, signature: toField(signature) } };
}

/** The headers and the signature base of an attempt that was signed earlier. */
export function rebuildAttempt(
  content: Content,
  { signature, ...terms }: Signature,
): { headers: Headers; base: string } {
  const { headers, base } = compose(content, terms);
  return { headers: { ...headers, signature: toField(signature) }, base };
}

/**
 * The parts that the package writes are remembered: the lines of a URL, and the parameters of a second and a
 * key. The other two lines hold visible ASCII that Concord made.
 */
function compose(
  { url, body, id, attempt, userAgent }: Content,
  { created, keyId }: Omit<Signature, 'signature'>,
) {
  const digest = `sha-256=:${hash('sha256', body, 'base64')}:`;
  const parameters = parametersOf(`${created} ${keyId}`);
  return {
    headers: {
      'content-type': contentType,
      'content-digest': digest,
      'webhook-id': id,
      'webhook-attempt': String(attempt),
      'user-agent': userAgent,
      'signature-input': `${label}=${parameters}`,
    },
    base: `${linesOf(url.href)}\n"content-digest": ${digest}\n"webhook-id": ${id}\n"@signature-params": ${parameters}`,
  };
}

/** The first three lines of the signature base. */
const linesOf = remember(1_000, (href) => {
  const message = { method: 'POST', url: href, headers: { 'content-type': contentType } };
  return createSignatureBase(message, { components: components.slice(0, 3), parameters: {} }).replace(
    /\n.*$/,
    '',
  );
});

/** From `created` and `keyid`, with a space between them. */
const parametersOf = remember(100, (text) => {
  const [created, keyId = ''] = text.split(' ');
  // httpsig-hyper (Rust) writes the parameters again in this order, and refuses any other.
  const parameters = { created: Number(created), alg: algorithm, keyid: keyId };
  return serializeSignatureInput({ components, parameters: new Map(Object.entries(parameters)) });
});

const toField = (signature: Buffer) => `${label}=:${signature.toString('base64')}:`;
