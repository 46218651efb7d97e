// In the place of what a person may not see: which permission it needs, who can give it, and how to ask.
import { listAccessRequests, listGrantors } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import type { Method, Resource } from '#messages/permissions.ts';
import { DialogButton } from '#ui/dialog/dialog-button.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { usePartner } from './address.ts';
import { AskForAccess } from './ask-for-access.tsx';
import { useAccess } from './session.ts';

type Props = { resource: Resource; method: Method };

export function Denied({ resource, method }: Props) {
  const { agreement, can, partner } = useAccess();
  const permission = `${resource}.${method}` as const;
  const { data } = useRead(listGrantors, { path: { id: partner }, query: { permission } });
  const names =
    data?.data.slice(0, 5).map(({ name, email }) => (email === null ? name : `${name} (${email})`)) ?? [];
  // A member who holds it is refused for another reason, and cannot ask.
  const mayAsk = agreement !== null && !can(resource, method);
  return (
    <Empty action={mayAsk && <Ask {...{ resource, method, permission }} agreementId={agreement.id} />}>
      You need the permission <code>{permission}</code> to see this.
      {names.length > 0 && ` ${mayAsk ? 'Who can give it' : 'Ask for it'}: ${names.join(', ')}.`}
    </Empty>
  );
}

type AskProps = Props & { permission: `${Resource}.${Method}`; agreementId: string };
function Ask({ resource, method, permission, agreementId }: AskProps) {
  const partner = usePartner();
  const pending = useRead(listAccessRequests, {
    path: { id: partner },
    query: { 'filter[agreement_id]': agreementId, 'filter[state]': 'pending' },
  });
  if (pending.data?.data.some(({ permissions }) => permissions.includes(permission))) {
    return (
      <p>
        You have asked for it. The answer comes by mail.{' '}
        <Link to="/p/$partner/access-requests" params={{ partner }}>
          See the request
        </Link>
      </p>
    );
  }
  return (
    <DialogButton look="primary" dialog={(onClose) => <AskForAccess {...{ resource, method, onClose }} />}>
      Ask for access
    </DialogButton>
  );
}
