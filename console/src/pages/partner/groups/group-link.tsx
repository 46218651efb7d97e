// A group's name, as a link for those who may open it.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccess } from '#app/session.ts';

export function GroupLink({ id, children }: { id: string; children: ReactNode }) {
  const { can, partner } = useAccess();
  if (!can('acl_permission_groups', 'get')) return children;
  return (
    <Link to="/p/$partner/groups/$group" params={{ partner, group: id }}>
      {children}
    </Link>
  );
}
