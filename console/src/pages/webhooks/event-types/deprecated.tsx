// Says of an event type that it is deprecated, from when on, and what to use.
import type { EventType } from '@concord/client';
import { Status, Time } from '#ui/text/text.tsx';

export function Deprecated({ deprecated }: Pick<EventType, 'deprecated'>) {
  if (deprecated === null) return null;
  return (
    <Status tone="warning">
      Deprecated from <Time at={deprecated.at} />
      {deprecated.successor !== null && `, use ${deprecated.successor}`}
    </Status>
  );
}
