// Asks before a partner is deleted, with what stops working.
import { deletePartner, listPartnerAgreements, listWebhookEndpoints, type Partner } from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { formatCount } from '#format/numbers.ts';
import { Confirm } from '#ui/dialog/confirm.tsx';

export function DeletePartner({ partner: { id, name }, onClose }: { partner: Partner; onClose: () => void }) {
  const [isGoing, setGoing] = useState(false);
  // What belongs to a deleted partner cannot be counted.
  const settings = { enabled: !isGoing };
  const one = { path: { id }, query: { page_size: 1 } };
  // Agreements that have ended lose nothing.
  const active = { path: { id }, query: { page_size: 1, 'filter[state]': 'active' as const } };
  const people = useRead(listPartnerAgreements, active, settings).data?.total;
  const endpoints = useRead(listWebhookEndpoints, one, settings).data?.total;
  return (
    <Confirm
      title={`Delete the partner ${name}?`}
      confirm="Delete the partner"
      onClose={onClose}
      onConfirm={() => {
        setGoing(true);
        return write(deletePartner, { path: { id } }, { done: `${name} is deleted` });
      }}
    >
      <p>
        {people == null ? 'Its people' : formatCount(people, 'person', 'people')} can no longer open it, and{' '}
        {endpoints == null
          ? 'its endpoints no longer receive'
          : formatCount(endpoints, 'endpoint no longer receives', 'endpoints no longer receive')}{' '}
        webhooks.
      </p>
      <p>An operator can restore it for 30 days. After that, everything that belongs to it is erased.</p>
    </Confirm>
  );
}
