// Account changes in the audit log.
import type { FastifyRequest } from 'fastify';
import { type Actor, type AuditEntry, type Changes, recordAction } from '../audit/index.ts';
import type { Database, Queryable } from '../base/postgres/database.ts';

/** What a person does to their own account. */
export const recordOwn = (on: Queryable, entry: Omit<AuditEntry, 'partnerId' | 'target'>) =>
  recordAction(on, { ...entry, partnerId: null, target: entry.actor.userId });

/**
 * For changes that commit inside better-auth: a row for the intent, and another for the outcome. A crash in between
 * leaves only the intent. `changes`: the members that the change has changed.
 */
export const createAudited =
  (db: Database) =>
  async <T>(
    actor: Actor,
    action: string,
    change: () => Promise<T>,
    changes: Changes | ((result: T) => Changes),
  ) => {
    const record = (outcome: 'intended' | 'done' | 'failed', done: Changes = {}) =>
      recordOwn(db, { actor, action, outcome, changes: done });
    await record('intended');
    const result = await change().catch(async (error: unknown) => {
      // The first error is the one to report.
      await record('failed').catch(() => {});
      throw error;
    });
    await record('done', typeof changes === 'function' ? changes(result) : changes);
    return result;
  };

/** What a mail was about. `set_up`: the link that the start prints. */
type LinkPurpose = 'change_email' | 'reset_password' | 'delete_user' | 'sign_up' | 'invitation' | 'set_up';

/** The actor of a change that a person makes without a session, by a link from a mail. */
export const byLink = (request: FastifyRequest, userId: string, purpose: LinkPurpose): Actor =>
  by(request, userId, { kind: 'mail_link', id: purpose });

/** The same by a provider. `provider`: as in `auth.account`. */
export const byProvider = (request: Asking, userId: string, provider: string): Actor =>
  by(request, userId, { kind: 'provider', id: provider });

/** `ip` null: not known. */
type Asking = { readonly id: string; readonly ip: string | null };

const by = ({ id, ip }: Asking, userId: string, credential: Actor['credential']): Actor => ({
  kind: 'person',
  userId,
  credential,
  requestId: id,
  address: ip,
});
