// Sessions: how one in use stays alive, and how it ends.
import sql from 'sql-template-tag';
import type { Database } from '../postgres/database.ts';

export type Sessions = {
  /** Moves the end of a session to 7 days from now, 30 days after its start at most. */
  slide(sessionId: string): Promise<void>;
  /** Ends it: the next request with its token is 401, on every instance. */
  end(sessionId: string): Promise<void>;
};

export function createSessions({ db }: { db: Database }): Sessions {
  return {
    async slide(sessionId) {
      await db.query(sql`
        update auth.session
        set expires_at = least(concord_now() + interval '7 days', created_at + interval '30 days'), updated_at = concord_now()
        where id = ${sessionId} and expires_at > concord_now()`);
    },
    async end(sessionId) {
      await db.query(sql`delete from auth.session where id = ${sessionId}`);
    },
  };
}
