// What the sandbox receiver of Concord got, and that it verified.
import {
  getSandboxReceiver,
  listSandboxReceiverRequests,
  type SandboxReceiverRequest,
} from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { useAccess } from '#app/session.ts';
import { Section } from '#ui/layout/page.tsx';
import { LoadedTable } from '#ui/table/table.tsx';
import { Soft, Status, shortId } from '#ui/text/text.tsx';

/** Shown for the endpoint that sends to the receiver, and for no other. */
export function Received({ url }: { url: string }) {
  const { can, partner } = useAccess();
  const isAllowed = can('deliveries', 'get');
  // Any other path cannot be the receiver, so nothing is asked.
  const receiver = useRead(
    getSandboxReceiver,
    { path: { id: partner } },
    { enabled: isAllowed && url.includes('/console/receiver/') },
  );
  if (receiver.data?.data.url !== url) return null;
  return <Requests />;
}

function Requests() {
  const partner = usePartner();
  const query = useRead(
    listSandboxReceiverRequests,
    { path: { id: partner } },
    { live: true, until: ({ length }) => length > 0 },
  );
  return (
    <Section
      title="Received requests"
      about="This URL is the sandbox receiver of Concord. It keeps the last 50 requests."
    >
      <LoadedTable
        query={query}
        empty={<Soft>No requests received yet. Send a test event.</Soft>}
        label="Received requests"
        keyOf={({ received_at, headers }) => received_at + JSON.stringify(headers)}
        columns={[
          { name: 'Received', at: 'received_at' },
          { name: 'Signature', cell: ({ verification }) => <Result verification={verification} /> },
          { name: 'Delivery', cell: (request) => <DeliveryLink request={request} />, isSecondary: true },
        ]}
      />
    </Section>
  );
}

function Result({ verification: { verified, reason } }: Pick<SandboxReceiverRequest, 'verification'>) {
  return verified ? <Status tone="good">Verified</Status> : <Status tone="bad">{reason}</Status>;
}

function DeliveryLink({ request }: { request: SandboxReceiverRequest }) {
  const partner = usePartner();
  const { delivery_id, event_id } = request.verification;
  if (delivery_id !== null) {
    return (
      <Link to="/p/$partner/webhooks/deliveries/$delivery" params={{ partner, delivery: delivery_id }}>
        <code>{shortId(delivery_id)}</code>
      </Link>
    );
  }
  return event_id === null ? <>–</> : <code>{shortId(event_id)}</code>;
}
