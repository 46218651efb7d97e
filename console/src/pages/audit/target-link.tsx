// A link to what a record of the audit log is about. Its text is the name that the log has.
import type { AuditRecord } from '@concord/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { pageOf } from '#app/page-of.ts';

/** Whether the target can still have a page: the change did not end it. */
const isGone = ({ action }: AuditRecord): boolean =>
  /\.(delete|purge|leave|decline|discard|revoke)$/.test(action);

/**
 * Null: the target has no page among those of its partner. `endpoint`: in place of the host of an endpoint.
 */
export function linkInPartner(record: AuditRecord, endpoint?: ReactNode): ReactNode {
  const { target, target_name: name, partner_id: partner, email } = record;
  if (partner === null || target === null || isGone(record)) return null;
  const page = pageOf(target, partner);
  if (page === null) return null;
  return <Link to={page.path}>{endpoint ?? name ?? email ?? page.name}</Link>;
}

/** As operators see it: also users, event types and partners. */
export function linkOnPlatform(record: AuditRecord, endpoint?: ReactNode): ReactNode {
  const { target, target_name: name, action, partner_id: partner, email } = record;
  if (target === null || isGone(record)) return null;
  if (target.startsWith('usr_') && !action.startsWith('service_account')) {
    return (
      <Link to="/admin/users/$user" params={{ user: target }}>
        {name ?? email ?? 'User'}
      </Link>
    );
  }
  if (action.startsWith('event_type')) {
    return (
      <Link to="/admin/event-types/$name" params={{ name: target }}>
        {target}
      </Link>
    );
  }
  if (target.startsWith('ptr_') && partner !== null) {
    return (
      <Link to="/p/$partner" params={{ partner }}>
        {name ?? 'Partner'}
      </Link>
    );
  }
  return linkInPartner(record, endpoint);
}
