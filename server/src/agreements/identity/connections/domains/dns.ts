// Asks the DNS for the record that proves a domain.
import { Resolver } from 'node:dns/promises';
import { hasCode } from '../../../../base/errors.ts';

/** `failed`: nobody knows whether the record is there. */
export type Answer = { readonly values: readonly string[] } | 'failed';

const timeoutMs = 3_000;

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
      // The DNS says that there is no such record.
      return hasCode(error, 'ENOTFOUND', 'ENODATA') ? { values: [] } : 'failed';
    } finally {
      clearTimeout(end);
    }
  };
}
