// Sends a pending delivery now, instead of at the time of its next attempt.
import { type Delivery, sendDeliveryNow } from '@concord/client';
import { useWrite } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { Button } from '#ui/button.tsx';

/** Without a next attempt the endpoint is paused or disabled, or the delivery is held. */
export const isSendable = ({ status, next_attempt_at }: Delivery): boolean =>
  status === 'pending' && next_attempt_at !== null;

export function SendOne({ delivery }: { delivery: Delivery }) {
  const partner = usePartner();
  const { run, isRunning } = useWrite();
  const path = { id: partner, delivery_id: delivery.id };
  return (
    <Button
      look="primary"
      isBusy={isRunning}
      onClick={() => void run(sendDeliveryNow, { path }, { done: 'The next attempt is made now' })}
    >
      Send now
    </Button>
  );
}
