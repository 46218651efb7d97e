// What operators do with users: list, ban, unban, delete, make another operator. The last operator stays.
import { type Actor, recordAction } from '../audit/index.ts';
import { ServiceError } from '../errors.ts';
import { type Answer, answerOnce, type Repeatable } from '../http/idempotency.ts';
import type { ListSource } from '../http/lists.ts';
import { readMoment } from '../http/schemas.ts';
import { parseId } from '../ids.ts';
import type { Principal } from '../permissions/index.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import * as store from './store.ts';

/** A request that the access rule of operators has let through, and can be asked again in a transaction. */
export type Admitted = {
  readonly principal: Principal;
  readonly actor: Actor;
  again(tx: Transaction): Promise<{ readonly principal: Principal }>;
};

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

type Change = { action: string; userId: string; repeatable?: Repeatable; orphan?: boolean };
type Ban = { reason?: string | null; expires_at?: string | null };

export type Users = ReturnType<typeof createUsers>;

export function createUsers({ db }: { db: Database }) {
  /** By an operator, with its row in the log. `orphan`: also when a partner loses its last owner by it. */
  async function change(
    { actor, again }: Admitted,
    { action, userId, repeatable = null, orphan = false }: Change,
    effect: (tx: Transaction) => Promise<Answer>,
  ): Promise<Answer> {
    if (parseId('user', userId) === null) throw new ServiceError('not_found');
    try {
      return await db.transaction(async (tx) => {
        await store.lockUser(tx, userId, actor.userId);
        await again(tx);
        if (orphan) await store.allowOrphan(tx);
        return answerOnce(tx, repeatable, actor.userId, async () => {
          const answer = await effect(tx);
          await recordAction(tx, { actor, partnerId: null, action, target: userId, details: orphan ? { orphan } : {} });
          return answer;
        });
      });
    } catch (error) {
      throw store.toRefusal(error);
    }
  }

  const update = (admitted: Admitted, of: Change, set: store.UserChange) =>
    change(admitted, of, async (tx) => {
      const row = await store.updateUser(tx, of.userId, set);
      if (!row) throw new ServiceError('not_found');
      return { status: 200, headers: {}, body: toUser(row) };
    });

  return {
    list: (filter: store.UserFilter): ListSource<store.UserSort, User> => ({
      async page(order, after, limit) {
        return (await store.selectUsers(db, filter, order, after, limit)).map(toUser);
      },
      count: () => store.countUsers(db, filter),
    }),
    setRole: (admitted: Admitted, userId: string, role: User['role']) =>
      update(admitted, { action: 'user.set_role', userId }, { role }),
    /** Acts on the next request. The sessions stay, so that a banned user is told so (403). */
    ban: (admitted: Admitted, userId: string, ban: Ban, orphan: boolean, repeatable: Repeatable) =>
      update(
        admitted,
        { action: 'user.ban', userId, repeatable, orphan },
        {
          banned: true,
          reason: ban.reason ?? null,
          until: ban.expires_at == null ? null : readMoment(ban.expires_at, '/expires_at'),
        },
      ),
    unban: (admitted: Admitted, userId: string, repeatable: Repeatable) =>
      update(admitted, { action: 'user.unban', userId, repeatable }, { banned: false, reason: null, until: null }),
    delete: (admitted: Admitted, userId: string, orphan: boolean): Promise<Answer> =>
      change(admitted, { action: 'user.delete', userId, orphan }, async (tx) => {
        if (!(await store.deleteUser(tx, userId))) throw new ServiceError('not_found');
        return { status: 204, headers: {}, body: {} };
      }),
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
