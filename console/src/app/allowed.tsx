// Shows its content to those who may see it. Nothing is asked of the server for the others: each denied
// request is recorded.
import type { ReactNode } from 'react';
import type { Method, Resource } from '#messages/permissions.ts';
import { Skeleton } from '#ui/feedback/loaded.tsx';
import { Denied } from './denied.tsx';
import { useAccess } from './session.ts';

type Props = {
  resource: Resource;
  method: Method;
  /** Also without the permission, such as one's own agreement. */
  orIf?: boolean;
  children: ReactNode;
};

export function Allowed({ resource, method, orIf = false, children }: Props) {
  const { can, isLoading } = useAccess();
  if (can(resource, method) || orIf) return children;
  if (isLoading) return <Skeleton lines={8} />;
  return <Denied resource={resource} method={method} />;
}
