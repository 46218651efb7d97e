// A user's own passkeys: adding, naming and removing them. The first second factor of a user brings backup codes, and
// ends the other sessions; removing the last one disables the second factor.
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../access/index.ts';
import type { Principal } from '../../../access/permissions/index.ts';
import { type Changes, changesBetween, splitChanges } from '../../../audit/index.ts';
import { invalidRequest, ServiceError, tooMany } from '../../../base/errors.ts';
import { formatId, newId } from '../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { withTextTimes } from '../../../base/postgres/sql/rows.ts';
import { recordOwn } from '../../audited.ts';
import { newApp } from '../../better-auth/second-factor-makings.ts';
import type { Services } from '../../services.ts';
import { enableInSession, renewSession } from '../../sessions/renew-session.ts';
import { changeOwn } from '../../users/own-change.ts';
import * as users from '../../users/store.ts';
import { algorithms, createCeremony, handleOf, loggingRefusal, timeoutMs } from './ceremony.ts';
import type { AddPasskey, Passkey, PasskeyCreation } from './schema.ts';
import * as store from './store.ts';

const maxPasskeys = 20;

const creationOptions = {
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: timeoutMs,
  attestation: 'none',
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
} as const;

export const listPasskeys = async (on: Queryable, userId: string) =>
  (await store.selectPasskeys(on, userId)).map(toPasskey);

export function createPasskeys(services: Services) {
  const { db, auth, notices } = services;
  const ceremony = createCeremony(services);
  const enrolling = ({ credential }: Principal) => `enrol ${credential.id}`;

  return {
    async beginAdding({ principal }: Caller): Promise<PasskeyCreation> {
      const { userId } = principal;
      const user = await users.selectUser(db, userId);
      if (user === undefined) throw new ServiceError('unauthenticated');
      const { challenge, sealedChallenge } = await ceremony.begin(db, enrolling(principal));
      return {
        sealedChallenge,
        publicKey: {
          rp: { id: ceremony.rpId, name: 'Concord' },
          user: { id: handleOf(userId), name: user.email, displayName: user.name },
          challenge,
          ...creationOptions,
          excludeCredentials: (await store.selectDescriptors(db, userId)).map(toDescriptor),
        },
      };
    },

    async add(request: FastifyRequest, caller: Caller, { name, ...body }: AddPasskey) {
      const { principal } = caller;
      const { userId } = principal;
      const { challenge, made } = await ceremony
        .register(body, enrolling(principal))
        .catch(loggingRefusal(request));
      return changeOwn(db, caller, async (tx, { actor }) => {
        if (!(await store.useChallenge(tx, userId, challenge))) throw new ServiceError('invalid_token');
        if ((await store.selectPasskeys(tx, userId)).length >= maxPasskeys)
          throw tooMany(`A user can have at most ${maxPasskeys} passkeys. Remove one first.`);
        const isFirst = !(await store.hasSecondFactor(tx, userId));
        const codes = isFirst ? await newApp(auth) : null;
        const token =
          codes &&
          (await enableInSession(tx, request, principal, () =>
            store.enableSecondFactor(tx, userId, codes.sealed),
          ));
        const row = await store.insertPasskey(tx, { ...made, id: newId('passkey'), userId, name });
        if (row === undefined) throw invalidRequest('/credential', 'must not be registered already');
        const passkey = toPasskey(row);
        await record(tx, actor, 'account.add_passkey', {
          ...changesOf(null, passkey),
          ...(isFirst && { two_factor_enabled: { before: false, after: true } }),
        });
        await notices.tell(tx, request, { userId, kind: 'passkey_added' });
        return { passkey, ...(codes && token && { backupCodes: codes.backupCodes, token }) };
      });
    },

    rename: (caller: Caller, id: string, name: string) =>
      changeOwn(db, caller, async (tx, { actor }) => {
        const row = await store.renamePasskey(tx, actor.userId, id, name);
        if (row === undefined) throw new ServiceError('not_found');
        const passkey = toPasskey(row);
        const before = { ...passkey, name: row.before };
        if (row.before !== name)
          await record(tx, actor, 'account.rename_passkey', changesOf(before, passkey));
        return passkey;
      }),

    remove: (request: FastifyRequest, caller: Caller, id: string) =>
      changeOwn(db, caller, async (tx, { actor, principal }) => {
        const { userId } = principal;
        const row = await store.deletePasskey(tx, userId, id);
        if (row === undefined) throw new ServiceError('not_found');
        const disables = await store.disableIfLast(tx, userId);
        await renewSession(tx, request, principal);
        await record(tx, actor, 'account.remove_passkey', {
          ...changesOf(toPasskey(row), null),
          ...(disables && { two_factor_enabled: { before: true, after: false } }),
        });
        const kind = disables ? 'second_factor_disabled' : 'passkey_removed';
        await notices.tell(tx, request, { userId, kind });
      }),
  };
}

export const toDescriptor = ({
  credential_id: id,
  transports,
}: {
  credential_id: Buffer;
  transports: string[];
}) => ({ id: id.toString('base64url'), type: 'public-key', transports }) as const;

const toPasskey = (row: store.PasskeyRow): Passkey => ({
  ...withTextTimes(row),
  id: formatId('passkey', row.id),
});

/** The id in both states, so that a row about a name says whose it is. */
function changesOf(before: Passkey | null, after: Passkey | null): Changes {
  const shown = (passkey: Passkey | null) => passkey && { passkey: passkey.id, name: passkey.name };
  return changesBetween(shown(before), shown(after));
}

function record(tx: Transaction, actor: Caller['actor'], action: string, all: Changes) {
  // The user chose the name, which can be that of a person.
  const { changes, personal } = splitChanges(all, ['name']);
  return recordOwn(tx, { actor, action, changes, personal: { changes: personal } });
}
