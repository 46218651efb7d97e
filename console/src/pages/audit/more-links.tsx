// From a record to what else its actor did, and to what else happened to its target.
import type { AuditRecord } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { Row } from '#ui/layout/page.tsx';

export function MoreLinks({ to, record: { actor, target } }: { to: string; record: AuditRecord }) {
  return (
    <Row>
      <Link to={to} search={{ actor: actor.id } as never}>
        All records of this actor
      </Link>
      {target !== null && target !== actor.id && (
        <Link to={to} search={{ target } as never}>
          All records about this target
        </Link>
      )}
    </Row>
  );
}
