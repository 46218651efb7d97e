// What operators do with users: list, ban, unban, delete, make another operator. The last operator stays.
import { ServiceError } from '../errors.ts';
import type { ListSource } from '../http/lists.ts';
import { parseId } from '../ids.ts';
import type { Principal } from '../permissions/index.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import * as store from './store.ts';

/** A request that the access rule of operators has let through, and can be asked again in a transaction. */
export type Admitted = { readonly principal: Principal; again(tx: Transaction): Promise<unknown> };

export type User = {
  id: string;
  email: string;
  name: string;
  email_verified: boolean;
  role: 'operator' | 'user';
  banned: boolean;
  ban_reason: string | null;
  ban_expires_at: string | null;
  two_factor_enabled: boolean;
  created_at: string;
  updated_at: string;
};

export type Users = ReturnType<typeof createUsers>;

export function createUsers({ db }: { db: Database }) {
  /** `removes`: afterwards the user can no longer act as an operator. */
  async function change<T>(
    admitted: Admitted,
    userId: string,
    removes: boolean,
    apply: (tx: Transaction) => Promise<T | undefined | false>,
  ): Promise<T> {
    if (parseId('user', userId) === null) throw new ServiceError('not_found');
    return db.transaction(async (tx) => {
      const operators = await store.lockOperators(tx);
      await admitted.again(tx);
      const result = await apply(tx);
      if (!result) throw new ServiceError('not_found');
      if (removes && operators.length === 1 && operators[0] === userId)
        throw new ServiceError('last_operator');
      return result;
    });
  }

  const update = async (
    admitted: Admitted,
    userId: string,
    removes: boolean,
    set: Parameters<typeof store.updateUser>[2],
  ) => toUser(await change(admitted, userId, removes, (tx) => store.updateUser(tx, userId, set)));

  return {
    list: (filter: store.UserFilter): ListSource<store.UserSort, User> => ({
      async page(order, after, limit) {
        return (await store.selectUsers(db, filter, order, after, limit)).map(toUser);
      },
      count: () => store.countUsers(db, filter),
    }),
    setRole: (admitted: Admitted, userId: string, role: User['role']) =>
      update(admitted, userId, role !== 'operator', { role }),
    /** Acts on the next request. The sessions stay, so that a banned user is told so (403). */
    ban: (admitted: Admitted, userId: string, reason: string | null, until: string | null) =>
      update(admitted, userId, true, { banned: true, reason, until }),
    unban: (admitted: Admitted, userId: string) =>
      update(admitted, userId, false, { banned: false, reason: null, until: null }),
    delete: async (admitted: Admitted, userId: string): Promise<void> => {
      await change(admitted, userId, true, (tx) => store.deleteUser(tx, userId));
    },
  };
}

function toUser(row: store.UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    email_verified: row.email_verified,
    role: row.role === 'operator' ? 'operator' : 'user',
    banned: row.banned === true,
    ban_reason: row.ban_reason,
    ban_expires_at: row.ban_expires?.toISOString() ?? null,
    two_factor_enabled: row.two_factor_enabled === true,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
