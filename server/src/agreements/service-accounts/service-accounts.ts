// The operations on service accounts: users of one partner that are programs. Owners create their access
// tokens (behaviour T3).
import type { Granted } from '../../access/index.ts';
import { changesBetween, recordAction } from '../../audit/index.ts';
import { tooMany } from '../../base/errors.ts';
import { requireMatch } from '../../base/http/entity-tag.ts';
import { serializer } from '../../base/http/serialization.ts';
import { created, type IdempotentRequest } from '../../base/idempotency/index.ts';
import { formatId } from '../../base/ids.ts';
import { accessTokens, insertServiceUser, lockOwnUser, type tokenWire } from '../../people/index.ts';
import { changeLocked, changeOnce } from '../agreements.ts';
import type { Options } from '../options.ts';
import { agreementsOf, requireRoom } from '../store.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

const maxServiceAccounts = 100;

const toJson = serializer(wire.ServiceAccount);

type GrantedServiceAccount = Granted<store.ServiceAccountRow>;

export function createServiceAccounts({ db }: Options) {
  return {
    create: (granted: Granted, name: string, key: IdempotentRequest) =>
      changeOnce(db, granted, key, async (tx, { partnerId, actor }) => {
        if ((await store.serviceAccountsOf(tx, partnerId).count()).count >= maxServiceAccounts)
          throw tooMany(
            `A partner can have at most ${maxServiceAccounts} service accounts. Delete one first.`,
          );
        requireRoom({ others: (await agreementsOf(tx, partnerId).count()).count });
        const user = await insertServiceUser(tx, name);
        const account = store.toServiceAccount(await store.insertServiceAccount(tx, partnerId, user));
        await recordAction(tx, {
          actor,
          partnerId,
          action: 'service_account.create',
          target: account.id,
          changes: changesBetween(null, account),
        });
        const location = `/partners/${formatId('partner', partnerId)}/service-accounts/${account.id}`;
        return created(location, toJson(account));
      }),

    delete: (granted: GrantedServiceAccount, ifMatch?: string) =>
      changeLocked(db, granted, async (tx, { partnerId, row, actor }) => {
        const current = store.toServiceAccount(row);
        requireMatch(ifMatch, toJson(current));
        await store.deleteServiceAccount(tx, row);
        await recordAction(tx, {
          actor,
          partnerId,
          action: 'service_account.delete',
          target: row.user_id,
          targetName: row.name,
          changes: changesBetween(current, null),
        });
      }),

    createToken: (granted: GrantedServiceAccount, body: tokenWire.CreateServiceAccessToken) =>
      changeLocked(db, granted, async (tx, { partnerId, row, actor, principal, membership }) => {
        await lockOwnUser(tx, row.user_id);
        const latestExpiry = principal.role === 'operator' ? null : (membership?.expiresAt ?? null);
        const token = await accessTokens.createToken(
          tx,
          { userId: row.user_id, mfaProven: false, latestExpiry },
          body,
        );
        const { token: _secret, ...logged } = token;
        await recordAction(tx, {
          actor,
          partnerId,
          action: 'access_token.create',
          target: token.id,
          targetName: token.name,
          changes: changesBetween(null, logged),
        });
        return token;
      }),

    revokeToken: (granted: GrantedServiceAccount, id: string) =>
      changeLocked(db, granted, async (tx, { partnerId, row, actor }) => {
        const changes = changesBetween(await accessTokens.revokeToken(tx, row.user_id, id), null);
        await recordAction(tx, { actor, partnerId, action: 'access_token.revoke', target: id, changes });
      }),
  };
}
