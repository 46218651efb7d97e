// Bearer sessions: how a token is read from a request, and how a session in use stays alive.
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

/**
 * The token of an Authorization header (RFC 6750, section 2.1; the scheme in any case), or null when there is none in it.
 * better-auth also hands out `token.signature`; the signature adds nothing to a token that must be found in the database.
 */
export function readBearerToken(authorization: string | undefined): string | null {
  const [, token] = /^bearer +([A-Za-z0-9]{32})(?:\.[A-Za-z0-9+/=%]{1,100})? *$/i.exec(authorization ?? '') ?? [];
  return token ?? null;
}
