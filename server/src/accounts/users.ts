// What operators do with users: list, ban, unban, delete, make another operator. The last operator stays.
import { type Actor, recordAction } from '../audit/index.ts';
import { ServiceError } from '../errors.ts';
import { answerOnce, type Repeatable } from '../http/idempotency.ts';
import type { ListSource } from '../http/lists.ts';
import { readMoment } from '../http/schemas.ts';
import { parseId } from '../ids.ts';
import type { Principal } from '../permissions/index.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import * as store from './store.ts';

/** A request that the access rule of operators has let through, and can be asked again in a transaction. */
export type Admitted = { readonly principal: Principal; readonly actor: Actor; again(tx: Transaction): Promise<unknown> };

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

type Change = { action: string; userId: string; orphan?: boolean };
type Ban = { reason?: string | null; expires_at?: string | null };

export type Users = ReturnType<typeof createUsers>;

export function createUsers({ db }: { db: Database }) {
  /** By an operator, with its row in the log. `orphan`: also when a partner loses its last owner by it. */
  async function change<T>(
    { actor, again }: Admitted,
    { action, userId, orphan = false }: Change,
    apply: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    if (parseId('user', userId) === null) throw new ServiceError('not_found');
    try {
      return await db.transaction(async (tx) => {
        await again(tx);
        if (orphan) await store.allowOrphan(tx);
        await store.lockOwnedPartners(tx, userId);
        const result = await apply(tx);
        await recordAction(tx, { actor, partnerId: null, action, target: userId });
        return result;
      });
    } catch (error) {
      throw store.toRefusal(error);
    }
  }

  async function update(tx: Transaction, userId: string, set: store.UserChange): Promise<User> {
    const row = await store.updateUser(tx, userId, set);
    if (!row) throw new ServiceError('not_found');
    return toUser(row);
  }

  /** The POSTs, which a client can send again. */
  const act = (admitted: Admitted, of: Change, repeatable: Repeatable, set: store.UserChange) =>
    change(admitted, of, (tx) =>
      answerOnce(tx, repeatable, admitted.actor.userId, async () => ({
        status: 200,
        headers: {},
        body: await update(tx, of.userId, set),
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
      change(admitted, { action: 'user.set_role', userId }, (tx) => update(tx, userId, { role })),
    /** Acts on the next request. The sessions stay, so that a banned user is told so (403). */
    ban: (admitted: Admitted, userId: string, ban: Ban, orphan: boolean, repeatable: Repeatable) =>
      act(admitted, { action: 'user.ban', userId, orphan }, repeatable, {
        banned: true,
        reason: ban.reason ?? null,
        until: ban.expires_at == null ? null : readMoment(ban.expires_at, '/expires_at'),
      }),
    unban: (admitted: Admitted, userId: string, repeatable: Repeatable) =>
      act(admitted, { action: 'user.unban', userId }, repeatable, { banned: false, reason: null, until: null }),
    delete: (admitted: Admitted, userId: string, orphan: boolean): Promise<void> =>
      change(admitted, { action: 'user.delete', userId, orphan }, async (tx) => {
        if (!(await store.deleteUser(tx, userId))) throw new ServiceError('not_found');
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
