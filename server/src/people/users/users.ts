// The operations of operators on users. The database keeps the last operator.
import type { Static } from 'typebox';
import { type Caller, selectPartnersOf, sessions } from '../../access/index.ts';
import { type Changes, changesBetween, recordAction, recordForPartners } from '../../audit/index.ts';
import { invalidRequest, ServiceError } from '../../base/errors.ts';
import { requireMatch } from '../../base/http/entity-tag.ts';
import { isStorable, readMoment } from '../../base/http/schemas.ts';
import { serializer } from '../../base/http/serialization.ts';
import {
  type Answer,
  type IdempotentRequest,
  noContent,
  ok,
  runIdempotent,
} from '../../base/idempotency/index.ts';
import { parseId } from '../../base/ids.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import { withTextTimes } from '../../base/postgres/sql/rows.ts';
import type { Services } from '../services.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';
import { changesOf } from './user.ts';

type Session = Static<typeof wire.UserSession>;
const toJson = serializer(wire.User);

type Conditions = { idempotent: IdempotentRequest; ifMatch: string | undefined };
type Change = {
  action: string;
  userId: string;
  idempotent?: IdempotentRequest;
  ifMatch?: string | undefined;
  /** A partner may lose its last owner. */
  orphan?: boolean;
  /** The change concerns the partners of the user, so that each of their logs shows it. */
  concernsPartners?: boolean;
};
/** `after` null: the user is deleted. `changes`: of what belongs to the user. */
type Effect = { answer?: Answer; after: wire.User | null; changes?: Changes };
type Ban = { reason?: string | null; expires_at?: string | null };

export function createUsers({ db, deletePerson, notices }: Services) {
  return {
    setRole: (caller: Caller, userId: string, role: wire.User['role'], ifMatch: string | undefined) =>
      update(db, caller, { action: 'user.set_role', userId, ifMatch }, { role }),
    /** Takes effect from the next request on. The sessions stay, so that the user gets 403 `banned`. */
    ban(caller: Caller, userId: string, ban: Ban, orphan: boolean, conditions: Conditions) {
      const until = ban.expires_at == null ? null : readMoment(ban.expires_at, '/expires_at');
      return update(
        db,
        caller,
        { action: 'user.ban', userId, ...conditions, orphan, concernsPartners: true },
        { banned: true, reason: ban.reason ?? null, until },
        async (tx) => {
          if (until !== null && until <= (await readClock(tx)))
            throw invalidRequest('/expires_at', 'must be in the future');
        },
      );
    },
    unban: (caller: Caller, userId: string, conditions: Conditions) =>
      update(
        db,
        caller,
        { action: 'user.unban', userId, ...conditions, concernsPartners: true },
        { banned: false, reason: null, until: null },
      ),
    async delete(
      caller: Caller,
      userId: string,
      { orphan, ifMatch }: { orphan: boolean; ifMatch: string | undefined },
    ) {
      await change(db, caller, { action: 'user.delete', userId, orphan }, async (tx, before) => {
        if (before) requireMatch(ifMatch, toJson(before));
        const by = { actor: caller.actor, action: 'user.delete', details: orphan ? { orphan } : {} };
        if ((await deletePerson(tx, userId, by)) === undefined) throw new ServiceError('not_found');
        return { after: null };
      });
    },

    async listSessions({ principal }: Caller, userId: string): Promise<Session[]> {
      const user = parseId('user', userId) === null ? undefined : await store.selectUser(db, userId);
      if (user === undefined) throw new ServiceError('not_found');
      return (await sessions.selectSessions(db, userId)).map((row) => ({
        ...withTextTimes(row),
        current: row.id === principal.credential.id,
      }));
    },
    endSession: (caller: Caller, userId: string, sessionId: string) =>
      change(db, caller, { action: 'user.end_session', userId }, async (tx, before) => {
        const ended = isStorable(sessionId) && (await sessions.deleteSession(tx, userId, sessionId));
        if (!ended) throw new ServiceError('not_found');
        return { after: before, changes: changesBetween({ sessions: [sessionId] }, { sessions: [] }) };
      }),
    /** Access tokens stay. */
    endSessions: (caller: Caller, userId: string) =>
      change(db, caller, { action: 'user.end_sessions', userId }, async (tx, before) => {
        if (before === null) throw new ServiceError('not_found');
        const ended = await sessions.deleteOtherSessions(tx, userId, null);
        return { after: before, changes: changesBetween({ sessions: ended }, { sessions: [] }) };
      }),
    /** For a person who has lost it: the sessions end too, and the next sign-in asks for no second factor. */
    removeSecondFactor: (caller: Caller, userId: string) =>
      change(db, caller, { action: 'user.remove_second_factor', userId }, async (tx, before) => {
        if (before === null) throw new ServiceError('not_found');
        if (!before.two_factor_enabled) throw new ServiceError('two_factor_not_enabled');
        await store.disableSecondFactor(tx, userId);
        await sessions.deleteOtherSessions(tx, userId, null);
        await notices.tell(tx, null, { userId, kind: 'second_factor_removed' });
        return { after: { ...before, two_factor_enabled: false } };
      }),
  };
}

const update = (
  db: Database,
  caller: Caller,
  details: Change,
  set: store.UserChange,
  check?: (tx: Transaction) => Promise<void>,
) =>
  change(db, caller, details, async (tx, before) => {
    if (!before) throw new ServiceError('not_found');
    requireMatch(details.ifMatch, toJson(before));
    await check?.(tx);
    const row = await store.updateUser(tx, details.userId, set);
    const after = row ? store.toUser(row) : before;
    return { answer: ok(toJson(after)), after };
  });

/** Locks the user and decides access again before `effect`. */
async function change(
  db: Database,
  { actor, recheck }: Caller,
  { action, userId, idempotent = null, orphan = false, concernsPartners = false }: Change,
  effect: (tx: Transaction, before: wire.User | null) => Promise<Effect>,
): Promise<Answer> {
  if (parseId('user', userId) === null) throw new ServiceError('not_found');
  try {
    return await db.transaction(async (tx) => {
      await store.lockUser(tx, userId, actor.userId);
      await recheck(tx);
      if (orphan) await store.allowOrphan(tx);
      return runIdempotent(tx, idempotent, actor.userId, async () => {
        const row = await store.selectUser(tx, userId);
        const before = row ? store.toUser(row) : null;
        const partnerIds = concernsPartners ? await selectPartnersOf(tx, userId) : [];
        const { answer = noContent, after, changes: others } = await effect(tx, before);
        const { changes, personal } = changesOf(before, after);
        // Operators who delete themselves have erased their address before this row.
        const by = after === null && actor.userId === userId ? { ...actor, address: null } : actor;
        const entry = { actor: by, action, target: userId, details: orphan ? { orphan } : {} };
        await recordAction(tx, {
          ...entry,
          partnerId: null,
          changes: { ...changes, ...others },
          ...(after !== null &&
            Object.keys(personal).length > 0 && { personal: { subject: userId, changes: personal } }),
        });
        // The partners of the user see neither the reason of a ban nor its end.
        const { banned } = changes;
        await recordForPartners(tx, { ...entry, ...(banned && { changes: { banned } }) }, partnerIds);
        return answer;
      });
    });
  } catch (error) {
    throw store.toRefusal(error);
  }
}
