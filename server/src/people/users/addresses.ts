// The addresses under which the database may name a person.
import type { Transaction } from '../../base/postgres/database.ts';
import { inUnicode, storedEmailKey } from '../email.ts';
import { selectKnownAddresses, selectOwners } from './store.ts';

/**
 * The present address of a user, earlier ones, and their spellings: invitations that are gone may have left
 * mails and kept answers. An earlier address that another user has by now is left out: what names it names
 * that user.
 */
export async function selectAddresses(
  tx: Transaction,
  { id, email }: { id: string; email: string },
): Promise<string[]> {
  const known = [email, ...(await selectKnownAddresses(tx, id))];
  const keys = known.map((address) => storedEmailKey(address) ?? address);
  const taken = new Set(await selectOwners(tx, keys, id));
  return [
    ...new Set(
      [...known, ...keys, ...keys.map(inUnicode)].filter(
        (address) => !taken.has(storedEmailKey(address) ?? address),
      ),
    ),
  ];
}
