// How long events and deliveries are kept, as the setting says: `90 days`.
import { formatDuration } from '#format/time.ts';
import { Empty } from '#ui/feedback/empty.tsx';
import { useSettings } from './settings.ts';

export function Retention() {
  const settings = useSettings();
  return settings === null ? '…' : formatDuration(settings.webhook_retention_seconds);
}

/** In the place of an event or a delivery that is gone. */
export const NotKept = ({ name }: { name: 'checkpoint' | 'delivery' | 'event' }) => (
  <Empty>
    This {name} does not exist, or you have no access to it. Concord keeps each {name} for <Retention />.
  </Empty>
);
