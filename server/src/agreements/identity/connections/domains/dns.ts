// Asks the DNS for the record that proves a domain.
import { Resolver } from 'node:dns/promises';

/** `failed`: nobody knows whether the record is there. */
export type Answer = { readonly values: readonly string[] } | 'failed';

const timeoutMs = 3_000;
/** The DNS says that there is no such record. */
const absent = new Set(['ENOTFOUND', 'ENODATA']);

export const recordName = (domain: string) => `_concord-challenge.${domain}`;

/** `servers` null: those of this machine. */
export function createLookUpProofs(servers: readonly string[] | null) {
  return async (domain: string): Promise<Answer> => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
    if (servers) resolver.setServers([...servers]);
    // Its own time limit holds for each server.
    const end = setTimeout(() => resolver.cancel(), 2 * timeoutMs);
    try {
      const records = await resolver.resolveTxt(recordName(domain));
      return { values: records.map((parts) => parts.join('')) };
    } catch (error) {
      return absent.has(String((error as { code?: unknown }).code)) ? { values: [] } : 'failed';
    } finally {
      clearTimeout(end);
    }
  };
}
