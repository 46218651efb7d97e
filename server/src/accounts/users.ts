// What operators do with users: list, ban, unban, delete, make another operator. The last operator stays.
import { ServiceError } from '../errors.ts';
import { answerOnce, type Repeatable } from '../http/idempotency.ts';
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

type Ban = { reason?: string | null; expires_at?: string | null };

export type Users = ReturnType<typeof createUsers>;

export function createUsers({ db }: { db: Database }) {
  async function change<T>(
    admitted: Admitted,
    userId: string,
    apply: (tx: Transaction, principal: Principal) => Promise<T>,
  ): Promise<T> {
    if (parseId('user', userId) === null) throw new ServiceError('not_found');
    try {
      return await db.transaction(async (tx) => {
        await admitted.again(tx);
        return apply(tx, admitted.principal);
      });
    } catch (error) {
      throw store.isLastOperator(error) ? new ServiceError('last_operator') : error;
    }
  }

  async function update(tx: Transaction, userId: string, set: store.UserChange): Promise<User> {
    const row = await store.updateUser(tx, userId, set);
    if (!row) throw new ServiceError('not_found');
    return toUser(row);
  }

  /** The POSTs, which a client can send again. */
  const act = (admitted: Admitted, userId: string, repeatable: Repeatable, set: store.UserChange) =>
    change(admitted, userId, (tx, { userId: principalId }) =>
      answerOnce(tx, repeatable, principalId, async () => ({
        status: 200,
        headers: {},
        body: await update(tx, userId, set),
      })),
    );

  return {
    list: (filter: store.UserFilter): ListSource<store.UserSort, User> => ({
      async page(order, after, limit) {
        return (await store.selectUsers(db, filter, order, after, limit)).map(toUser);
      },
      count: () => store.countUsers(db, filter),
    }),
    setRole: (admitted: Admitted, userId: string, role: User['role']) =>
      change(admitted, userId, (tx) => update(tx, userId, { role })),
    /** Acts on the next request. The sessions stay, so that a banned user is told so (403). */
    ban: (admitted: Admitted, userId: string, ban: Ban, repeatable: Repeatable) =>
      act(admitted, userId, repeatable, {
        banned: true,
        reason: ban.reason ?? null,
        until: moment(ban.expires_at ?? null),
      }),
    unban: (admitted: Admitted, userId: string, repeatable: Repeatable) =>
      act(admitted, userId, repeatable, { banned: false, reason: null, until: null }),
    delete: (admitted: Admitted, userId: string): Promise<void> =>
      change(admitted, userId, async (tx) => {
        if (!(await store.deleteUser(tx, userId))) throw new ServiceError('not_found');
      }),
  };
}

/** As the database takes it, and the wire shows it: a year of four digits, UTC. */
function moment(text: string | null): string | null {
  if (text === null) return null;
  const date = new Date(text);
  const normalised = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  if (/^(?!0000)\d{4}-/.test(normalised)) return normalised;
  throw new ServiceError('invalid_request', {
    faults: [
      {
        pointer: '/expires_at',
        code: 'invalid_value',
        message: 'is not a moment between the years 1 and 9999',
      },
    ],
  });
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
