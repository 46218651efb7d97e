// Checks the options that a verification cannot do without, so a mistake shows at construction and not at the
// first webhook.
import { assertFunctions } from './checks.ts';
import type { PartnerOptions } from './events.ts';
import type { Keys } from './key-cache.ts';
import { readSecrets } from './shared-secret.ts';

/**
 * `keys`: the keys of the endpoint's environment, for RFC 9421. `secret`: its signing secret, or several, for Standard
 * Webhooks v1. Prefer keys: whoever knows a shared secret can sign, and it binds neither URL nor method.
 */
export type Trust =
  | { readonly keys: Keys; readonly secret?: undefined }
  | { readonly secret: string | readonly string[]; readonly keys?: undefined };

/** @throws {TypeError} that says what to pass. Plain JavaScript can leave out anything. */
export function assertOptions(options: PartnerOptions & Trust): void {
  const { keys, secret, partnerId, anyPartner } = (options ?? {}) as Partial<typeof options>;
  if (secret !== undefined) {
    if (keys !== undefined) throw new TypeError('Pass keys or secret, not both');
    readSecrets(secret);
  } else if (typeof keys?.findKey !== 'function') {
    throw new TypeError(
      "keys must be a key cache: pass createKeyCache({ url: 'https://<your Concord>/.well-known/jwks.json' })",
    );
  }
  const isPartner = (id: unknown) => typeof id === 'string' && id !== '';
  const ids = [partnerId ?? []].flat();
  const hasPartner = ids.length > 0 && ids.every(isPartner);
  if (anyPartner === true ? partnerId !== undefined : anyPartner !== undefined || !hasPartner) {
    throw new TypeError(
      "partnerId must be the id of your partner, such as 'ptr_01h2xcejqtf2nbrexx3vqjhp41'; or pass only anyPartner: true, and check event.partner_id yourself",
    );
  }
}

const methods = { replay: ['claim', 'commit', 'release'], handled: ['has', 'add'] } as const;
type ReceiverOptions = { [option in keyof typeof methods | 'maxBodyBytes' | 'now' | 'onError']?: unknown };

/** @throws {TypeError} that says what the option must be. Undefined is the default */
export function assertReceiverOptions(options: ReceiverOptions): void {
  const { maxBodyBytes } = options;
  if (maxBodyBytes !== undefined && !(typeof maxBodyBytes === 'number' && maxBodyBytes >= 1))
    throw new TypeError('maxBodyBytes must be a number of bytes of at least 1, such as 1_048_576');
  assertFunctions(options, ['now', 'onError']);
  for (const name of ['replay', 'handled'] as const) {
    const store = Object(options[name]) as Readonly<Record<string, unknown>>;
    if (options[name] !== undefined && methods[name].some((method) => typeof store[method] !== 'function'))
      throw new TypeError(`${name} must be a store with the functions ${methods[name].join(', ')}`);
  }
}

/** Returns the URL as the sender signs it. @throws {TypeError} when no endpoint can have it */
export function readEndpointUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.href.includes('#'))
    throw new TypeError(
      'url must be the absolute URL of the endpoint, exactly as Concord shows it: http or https, without user, password and fragment',
    );
  return url.href;
}
