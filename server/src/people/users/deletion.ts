// The deletion of a person: blanks what names them in every feature, then deletes the user. One transaction,
// which the caller has begun.
import type { FastifyRequest } from 'fastify';
import { selectPartnersOf } from '../../access/index.ts';
import { type Actor, type Changes, erasePersonal, recordForPartners } from '../../audit/index.ts';
import { inUnicode, storedEmailKey } from '../../base/email.ts';
import type { ErasePerson } from '../../base/feature.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import * as store from './store.ts';
import { changesOf } from './user.ts';

type By = { actor: Actor; action: string; details?: object };

type Tell = (
  tx: Transaction,
  request: FastifyRequest,
  told: { userId: string; kind: 'user_deleted'; to: string[] },
) => Promise<void>;

/**
 * Lock the user first. `request`: of the user, who is told. Returns the changes that are not personal. Undefined: there
 * is no such user.
 */
export const createDeletePerson =
  (erase: ErasePerson, tell: Tell) =>
  async (tx: Transaction, userId: string, by: By, request?: FastifyRequest): Promise<Changes | undefined> => {
    const user = await store.selectUser(tx, userId);
    if (user === undefined) return undefined;
    const emails = await selectAddresses(tx, user);
    await erase(tx, { userId, names: await store.selectKnownNames(tx, userId), emails });
    // When nothing else waits for the address.
    if (request) await tell(tx, request, { userId, kind: 'user_deleted', to: [user.email] });
    // The deletion removes the agreements too.
    await recordForPartners(tx, { ...by, target: userId }, await selectPartnersOf(tx, userId));
    await store.deleteUser(tx, userId);
    // Last, since the rows above have the address of the actor.
    await erasePersonal(tx, userId, emails);
    return changesOf(store.toUser(user), null).changes;
  };

/**
 * The addresses under which the database may name the user: the present one, earlier ones, and their spellings, since
 * invitations that are gone may have left mails and kept answers. An earlier address that another user has by now is
 * left out: what names it names that user.
 */
async function selectAddresses(tx: Transaction, { id, email }: store.UserRow) {
  const known = [email, ...(await store.selectKnownAddresses(tx, id))];
  const keys = known.map(keyOf);
  const taken = new Set(await store.selectOwners(tx, keys, id));
  const all = new Set([...known, ...keys, ...keys.map(inUnicode)]);
  return [...all].filter((address) => !taken.has(keyOf(address)));
}

const keyOf = (address: string) => storedEmailKey(address) ?? address;
