// Asks before a partner is deleted, and says what will follow.
import { deletePartner, listPartnerAgreements, listWebhookEndpoints, type Partner } from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { formatCount } from '#format/numbers.ts';
import { Confirm } from '#ui/dialog/dialog.tsx';
import { useAccess } from './session.ts';

type Props = {
  partner: Partner;
  /** Only this version is deleted. */
  etag?: string;
  onClose: () => void;
  leave?: () => Promise<unknown>;
};

export function DeletePartner({ partner: { id, name }, etag, onClose, leave }: Props) {
  const { can, agreement } = useAccess(id);
  // What belongs to a deleted partner cannot be counted.
  const [isGoing, setGoing] = useState(false);
  const one = { path: { id }, query: { page_size: 1 } };
  const endpoints =
    useRead(listWebhookEndpoints, one, { enabled: !isGoing && can('webhook_endpoints', 'query') }).data
      ?.total ?? null;
  // Agreements that have ended lose nothing.
  const countOf = (state: string) => ({
    path: { id },
    query: { page_size: 1, 'filter[state]': state as 'active' },
  });
  const seesPeople = { enabled: !isGoing && can('agreements', 'query') };
  const active = useRead(listPartnerAgreements, countOf('active'), seesPeople).data?.total ?? null;
  const pending = useRead(listPartnerAgreements, countOf('pending'), seesPeople).data?.total ?? null;
  const agreements = active === null || pending === null ? null : active + pending;
  return (
    <Confirm
      title={`Delete ${name}?`}
      confirm={`Delete ${name}`}
      explain={{
        precondition_failed:
          'Somebody else changed the partner in the meantime. Close this dialog and check the changes.',
      }}
      onClose={onClose}
      onConfirm={async () => {
        setGoing(true);
        await write(
          deletePartner,
          { path: { id }, ...(etag !== undefined && { headers: { 'if-match': etag } }) },
          { done: `${name} is deleted. It can be restored for 30 days.`, leave },
        );
      }}
    >
      <p>
        {endpoints === null
          ? 'All endpoints stop'
          : formatCount(endpoints, 'endpoint stops', 'endpoints stop')}{' '}
        receiving at once.{' '}
        {agreements === null
          ? 'Everybody'
          : formatCount(agreements, 'person, program or invitation', 'people, programs and invitations')}{' '}
        {agreements === 1 ? 'loses' : 'lose'} access with the next request{agreement && ', also you'}.
      </p>
      <p>
        For 30 days an operator can restore the partner with everything that belongs to it. After that it is
        purged. The audit log stays.
      </p>
    </Confirm>
  );
}
