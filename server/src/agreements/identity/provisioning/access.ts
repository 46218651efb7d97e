// Who may call SCIM: the directory of a company, with the token of its connection. It reaches only that connection.
import type { FastifyRequest } from 'fastify';
import { type AccessRule, lockPartner, readProvisioningBearer } from '../../../access/index.ts';
import type { Actor } from '../../../audit/index.ts';
import { createAttached } from '../../../base/attached.ts';
import { ServiceError } from '../../../base/errors.ts';
import { setPartner, setUser } from '../../../base/http/callers.ts';
import { isRepeated } from '../../../base/http/request-headers.ts';
import { formatId } from '../../../base/ids.ts';
import type { Transaction } from '../../../base/postgres/database.ts';
import type { Options } from '../../options.ts';
import type { Provisioning } from './settling/settling.ts';
import * as store from './store.ts';

export type ProvisioningCaller = {
  readonly connectionId: string;
  readonly partnerId: string;
  readonly actor: Actor;
  /** Counts a request more, for an answer as large as several. @throws ServiceError rate_limited */
  count(): Promise<void>;
  /** Checks the token again, while a client reads a long answer. @throws ServiceError unauthenticated */
  requireValid(): Promise<void>;
  /** Locks the partner, and checks the token again. @throws ServiceError unauthenticated */
  lock(tx: Transaction): Promise<Provisioning>;
};

export function createProvisioningAccess({ db, guesses, limits }: Options): AccessRule<ProvisioningCaller> {
  const callers = createAttached<FastifyRequest, ProvisioningCaller>();

  return {
    async hook(request, reply) {
      void reply.header('cache-control', 'no-store');
      const bearer = isRepeated(request.raw, 'authorization')
        ? null
        : readProvisioningBearer(request.headers.authorization);
      if (bearer?.kind !== 'token') throw new ServiceError('unauthenticated');
      const { secret } = bearer;
      const find = async () => (await store.selectCaller(db, secret)) ?? null;
      const { connectionId, partnerId, used } = await guesses.lookUp(request, reply, bearer, find);
      const connection = formatId('identity_connection', connectionId);
      setUser(request, connection);
      setPartner(request, partnerId);
      const count = () => limits.count(`provisioning ${connectionId}`, connection, reply);
      await count();
      if (!used) await store.markUsed(db, secret);
      const actor: Actor = {
        kind: 'connection',
        userId: connection,
        credential: { kind: 'provisioning_token', id: connection },
        requestId: request.id,
        address: request.ip,
      };
      callers.set(request, {
        connectionId,
        partnerId,
        actor,
        count,
        async requireValid() {
          if ((await find()) === null) throw new ServiceError('unauthenticated');
        },
        async lock(tx) {
          await lockPartner(tx, partnerId);
          if (!(await store.lockToken(tx, secret))) throw new ServiceError('unauthenticated');
          return { tx, connectionId, partnerId, actor };
        },
      });
    },
    granted(request) {
      const caller = callers.get(request);
      if (caller === undefined) throw new Error('The hook of provisioning did not run for this request');
      return caller;
    },
  };
}
