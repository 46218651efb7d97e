// Checks the options that a verification cannot do without, so a mistake shows at construction and not at the
// first webhook.
import type { PartnerOptions } from './events.ts';
import type { Keys } from './key-cache.ts';

/** @throws {TypeError} that says what to pass. Plain JavaScript can leave out anything. */
export function assertOptions(options: PartnerOptions & { readonly keys: Keys }): void {
  const { keys, partnerId, anyPartner } = (options ?? {}) as Partial<typeof options>;
  if (typeof keys?.findKey !== 'function') {
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
