// The SQL of clean-up: deletes expired credentials, links and counts, which have no effect any more.
import sql from 'sql-template-tag';
import type { ScheduledTask } from '../base/postgres/scheduled-tasks.ts';

export const deleteExpired: ScheduledTask = {
  name: 'delete expired sessions, tokens and counts',
  intervalMs: 10 * 60_000,
  async run(tx) {
    await tx.query(sql`delete from auth.session where expires_at < concord_now()`);
    await tx.query(sql`delete from access_token where expires_at < concord_now()`);
    // Until then the program learns that it has expired.
    await tx.query(
      sql`delete from device_authorization where expires_at < concord_now() - interval '1 hour'`,
    );
    await tx.query(sql`delete from auth.pending_sign_up where expires_at < concord_now()`);
    await tx.query(sql`delete from auth.provider_code where expires_at < concord_now()`);
    await tx.query(sql`delete from auth.mail_link where expires_at < concord_now()`);
    // Until then the token says why it does not work.
    await tx.query(
      sql`delete from auth.invitation_token where expires_at < concord_now() - interval '30 days'`,
    );
    await tx.query(sql`delete from auth.verification where expires_at < concord_now()`);
    await tx.query(sql`delete from auth.passkey_use where used_at < concord_now() - interval '1 hour'`);
    await tx.query(sql`delete from auth.totp_use where used_at < concord_now() - interval '5 minutes'`);
    // rate-limiter-flexible keeps milliseconds since 1970.
    await tx.query(sql`delete from guard_count where expire < extract(epoch from concord_now()) * 1000`);
  },
};
