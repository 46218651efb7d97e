// The batch in which an attempt was sent, with its events.
import type { AttemptWithRequest } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useAccess } from '#app/session.ts';
import { Fact, Facts, Id, shortId } from '#ui/text/text.tsx';

type Props = { attempt: AttemptWithRequest };

export function SentBatch({ attempt: { batch, request } }: Props) {
  const { can, partner } = useAccess();
  if (batch === null) return null;
  const ids = request === null ? [] : idsOf(request.body);
  return (
    <Facts>
      <Fact name="Sent in batch">
        <Id id={batch.id} />
      </Fact>
      <Fact name={`Its ${batch.events === 1 ? 'event' : `${batch.events} events`}, in order`}>
        {ids.map((event, index) => (
          <span key={event}>
            {index > 0 && ', '}
            {can('events', 'get') ? (
              <Link to="/p/$partner/webhooks/events/$event" params={{ partner, event }}>
                <code title={event}>{shortId(event)}</code>
              </Link>
            ) : (
              <code title={event}>{shortId(event)}</code>
            )}
          </span>
        ))}
      </Fact>
    </Facts>
  );
}

/** Concord wrote the body. */
const idsOf = (body: string): string[] => (JSON.parse(body) as { id: string }[]).map(({ id }) => id);
