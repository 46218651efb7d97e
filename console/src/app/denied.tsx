// In the place of what a person may not see: which permission it needs, and who can give it.
import { listGrantors } from '@concord/client';
import { useRead } from '../api/read.ts';
import type { Method, Resource } from '../messages/permissions.ts';
import { Empty } from '../ui/feedback/empty.tsx';

export function Denied({
  partner,
  resource,
  method,
}: {
  partner: string;
  resource: Resource;
  method: Method;
}) {
  const permission = `${resource}.${method}` as const;
  const { data } = useRead(listGrantors, { path: { id: partner }, query: { permission } });
  const names =
    data?.data.slice(0, 5).map(({ name, email }) => (email === null ? name : `${name} (${email})`)) ?? [];
  return (
    <Empty>
      You need the permission <code>{permission}</code> to see this.
      {names.length > 0 && ` Ask for it: ${names.join(', ')}.`}
    </Empty>
  );
}
