// The URL of a sandbox receiver, and what is kept of a request to it. Pure.
import { isUtf8 } from 'node:buffer';
import { controls, toStorable } from '../../../base/http/schemas.ts';
import { cut } from '../../../base/text.ts';

export const receiverPath = '/console/receiver';
const tokenForm = /^[A-Za-z0-9_-]{32}$/;
/** What a webhook can have: a batch (behaviour W70). */
export const maxBodyBytes = 1024 * 1024;
/** Other headers can be secrets that the endpoint was given, so their values are not kept. */
const keptHeaders = new Set([
  ...['host', 'content-type', 'content-digest', 'webhook-id', 'webhook-attempt', 'user-agent'],
  ...['signature-input', 'signature', 'content-length'],
]);
type Pairs = [name: string, value: string][];

const maxKeyId = 200;
const maxReason = 2_000;

export const isToken = (text: string): boolean => tokenForm.test(text);

/** The normalised URL: endpoints have the same. */
export const urlOf = (baseUrl: string, token: string): string =>
  `${new URL(baseUrl).origin}${receiverPath}/${token}`;

/** The token of a URL in exactly the spelling of `urlOf`. Null: it is no receiver of this installation. */
export function tokenOf(baseUrl: string, url: string): string | null {
  const token = url.slice(url.lastIndexOf('/') + 1);
  return isToken(token) && url === urlOf(baseUrl, token) ? token : null;
}

export const toPairs = (raw: readonly string[]): Pairs =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));

export const withoutSecrets = (pairs: Pairs): Pairs =>
  pairs.filter(([name]) => keptHeaders.has(name.toLowerCase()));

const headerOf = (pairs: Pairs, wanted: string) =>
  pairs.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';

/** The key that the first signature claims to be made with. */
export const claimedKeyId = (pairs: Pairs): string | null =>
  /;keyid="([^"]*)"/.exec(headerOf(pairs, 'signature-input'))?.[1]?.slice(0, maxKeyId) ?? null;

/** The event or the batch that the request claims to bring. */
export const claimedId = (pairs: Pairs): string => headerOf(pairs, 'webhook-id');

/** A reason can quote the body. */
export const keptReason = (text: string): string => cut(toStorable(text), maxReason);

export function toBody(bytes: Buffer): { body: string; body_encoding: 'utf8' | 'base64' } {
  const isText = isUtf8(bytes) && bytes.toString().search(controls) < 0;
  const encoding = isText ? 'utf8' : 'base64';
  return { body: bytes.toString(encoding), body_encoding: encoding };
}
