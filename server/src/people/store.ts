// The SQL of clean-up: deletes expired credentials and links, which have no effect any more.
import sql from 'sql-template-tag';
import { deletionTask } from '../base/postgres/sql/deletion.ts';

export const deleteExpired = deletionTask({
  name: 'delete expired sessions and tokens',
  intervalMs: 10 * 60_000,
  of: [
    [sql`from auth.session`, sql`expires_at < concord_now()`],
    [sql`from access_token`, sql`expires_at < concord_now()`],
    // Until then the program learns that it has expired.
    [sql`from device_authorization`, sql`expires_at < concord_now() - interval '1 hour'`],
    [sql`from auth.pending_sign_up`, sql`expires_at < concord_now()`],
    [sql`from auth.provider_code`, sql`expires_at < concord_now()`],
    [sql`from auth.mail_link`, sql`expires_at < concord_now()`],
    // Until then the token says why it does not work.
    [sql`from auth.invitation_token`, sql`expires_at < concord_now() - interval '30 days'`],
    [sql`from auth.verification`, sql`expires_at < concord_now()`],
    [sql`from auth.proof_use`, sql`used_at < concord_now() - interval '1 hour'`],
  ],
});
