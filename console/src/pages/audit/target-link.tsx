// A link to what a record of the audit log is about.
import type { AuditRecord } from '@concord/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export type Targeted = AuditRecord & { readonly target: string };

/** Whether the target can still have a page: the change did not end it. */
export const hasTarget = (record: AuditRecord): record is Targeted =>
  record.target !== null && !/\.(delete|purge|leave|decline|discard)$/.test(record.action);

/** Null: the target has no page among those of its partner. */
export function linkInPartner({ target, partner_id: partner, email }: Targeted): ReactNode {
  if (partner === null) return null;
  if (target.startsWith('agr_')) {
    return (
      <Link to="/p/$partner/people/$agreement" params={{ partner, agreement: target }}>
        {email ?? 'Agreement'}
      </Link>
    );
  }
  if (target.startsWith('apg_')) {
    return (
      <Link to="/p/$partner/groups/$group" params={{ partner, group: target }}>
        Group
      </Link>
    );
  }
  if (target.startsWith('whe_')) {
    return (
      <Link to="/p/$partner/webhooks/endpoints/$endpoint" params={{ partner, endpoint: target }}>
        Endpoint
      </Link>
    );
  }
  return null;
}
