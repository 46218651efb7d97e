// Service accounts: users of a partner who are no people. Owners make them, and their access tokens (behaviour T3).
import { type AccessTokens, type CreateServiceToken, insertServiceUser, toRefusal } from '../accounts/index.ts';
import { recordAction } from '../audit/index.ts';
import { ServiceError } from '../errors.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { type Answer, answerOnce, type Repeatable } from '../http/idempotency.ts';
import type { ListSource } from '../http/lists.ts';
import { formatId } from '../ids.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import type { Granted } from './admission.ts';
import * as store from './service-store.ts';

const maxServiceAccounts = 100;

type InPartner = Granted<{ partner_id: string }>;
type GrantedServiceAccount = Granted<store.ServiceAccountRow>;

export type ServiceAccounts = ReturnType<typeof createServiceAccounts>;

export function createServiceAccounts({ db, tokens }: { db: Database; tokens: AccessTokens }) {
  /** With the partner locked. */
  async function change<G extends InPartner, T>(granted: G, apply: (tx: Transaction, granted: G) => Promise<T>): Promise<T> {
    try {
      return await db.transaction(async (tx) => {
        return apply(tx, (await granted.lock(tx)) as G);
      });
    } catch (error) {
      throw toRefusal(error);
    }
  }

  return {
    list: ({ row }: InPartner): ListSource<store.ServiceAccountSort, store.ServiceAccount> => ({
      page: async (order, after, limit) =>
        (await store.selectServiceAccounts(db, row.partner_id, order, after, limit)).map(store.toServiceAccount),
      count: () => store.countServiceAccounts(db, row.partner_id),
    }),

    create: (granted: InPartner, name: string, repeatable: Repeatable): Promise<Answer> =>
      change(granted, async (tx, { row, principal, actor }) =>
        answerOnce(tx, repeatable, principal.userId, async () => {
          if ((await store.countServiceAccounts(tx, row.partner_id)) >= maxServiceAccounts) {
            throw new ServiceError('limit_reached', { detail: `A partner has ${maxServiceAccounts} service accounts at most.` });
          }
          const user = await insertServiceUser(tx, name);
          const account = store.toServiceAccount(await store.insertServiceAccount(tx, row.partner_id, user));
          await recordAction(tx, { actor, partnerId: row.partner_id, action: 'service_account.create', target: account.id });
          const location = `/partners/${formatId('partner', row.partner_id)}/service-accounts/${account.id}`;
          return { status: 201, headers: { location }, body: account };
        }),
      ),

    get: ({ row }: GrantedServiceAccount): store.ServiceAccount => store.toServiceAccount(row),

    /** With its agreement and its tokens. */
    delete: (granted: GrantedServiceAccount, ifMatch?: string): Promise<void> =>
      change(granted, async (tx, { row, actor }) => {
        requireMatch(ifMatch, store.toServiceAccount(row));
        await store.deleteServiceAccount(tx, row);
        await recordAction(tx, { actor, partnerId: row.partner_id, action: 'service_account.delete', target: row.user_id });
      }),

    listTokens: ({ row }: GrantedServiceAccount) => tokens.list(row.user_id),

    makeToken: (granted: GrantedServiceAccount, body: CreateServiceToken) =>
      change(granted, async (tx, { row, actor, principal, membership }) => {
        await tokens.lock(tx, row.user_id);
        const until = principal.role === 'operator' ? null : (membership?.expiresAt ?? null);
        const token = await tokens.make(tx, { userId: row.user_id, proven: false, until }, body);
        await recordAction(tx, { actor, partnerId: row.partner_id, action: 'access_token.create', target: token.id });
        return token;
      }),

    revokeToken: (granted: GrantedServiceAccount, id: string): Promise<void> =>
      change(granted, async (tx, { row, actor }) => {
        await tokens.revoke(tx, row.user_id, id);
        await recordAction(tx, { actor, partnerId: row.partner_id, action: 'access_token.revoke', target: id });
      }),
  };
}
