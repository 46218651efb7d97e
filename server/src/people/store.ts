// The SQL of clean-up: deletes expired credentials, links and counts, which have no effect any more.
import sql from 'sql-template-tag';
import { deletionTask } from '../base/postgres/sql/deletion.ts';

export const deleteExpired = deletionTask({
  name: 'delete expired sessions, tokens and counts',
  intervalMs: 10 * 60_000,
  of: [
    sql`from auth.session where expires_at < concord_now()`,
    sql`from access_token where expires_at < concord_now()`,
    // Until then the program learns that it has expired.
    sql`from device_authorization where expires_at < concord_now() - interval '1 hour'`,
    sql`from auth.pending_sign_up where expires_at < concord_now()`,
    sql`from auth.provider_code where expires_at < concord_now()`,
    sql`from auth.mail_link where expires_at < concord_now()`,
    // Until then the token says why it does not work.
    sql`from auth.invitation_token where expires_at < concord_now() - interval '30 days'`,
    sql`from auth.verification where expires_at < concord_now()`,
    sql`from auth.passkey_use where used_at < concord_now() - interval '1 hour'`,
    sql`from auth.totp_use where used_at < concord_now() - interval '5 minutes'`,
    // rate-limiter-flexible keeps milliseconds since 1970.
    sql`from guard_count where expire < extract(epoch from concord_now()) * 1000`,
  ],
});
