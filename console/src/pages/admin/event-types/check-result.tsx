// What the check of a schema against past events found, in words, with the events that do not fit.
import type { EventTypeCheck } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { formatCount, formatNumber } from '#format/numbers.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Table } from '#ui/table/table.tsx';

function say({ checked, failed, complete }: EventTypeCheck): string {
  if (checked === 0) return 'No event of this type was published yet, so every schema fits.';
  const which = complete ? 'The last' : 'The check stopped at its limit. Of the last 1,000 events, the last';
  const events = `${which} ${formatCount(checked, 'event was', 'events were')} checked.`;
  if (failed === 0) return `${events} All of them fit this schema.`;
  return `${events} ${formatNumber(failed)} of them ${failed === 1 ? 'does' : 'do'} not fit this schema.`;
}

export function CheckResult({ result }: { result: EventTypeCheck }) {
  return (
    <>
      <Banner tone={result.failed === 0 ? 'good' : 'warning'}>{say(result)}</Banner>
      {result.failures.length > 0 && (
        <Table
          label="Events that do not fit"
          rows={result.failures}
          keyOf={({ event_id }) => event_id}
          columns={[
            {
              name: 'Event',
              cell: ({ event_id, partner_id }) => (
                <Link
                  to="/p/$partner/webhooks/events/$event"
                  params={{ partner: partner_id, event: event_id }}
                >
                  <code>{event_id}</code>
                </Link>
              ),
            },
            { name: 'Place', cell: ({ pointer }) => <code>{pointer}</code> },
            { name: 'What the schema asks for', cell: ({ message }) => message },
          ]}
        />
      )}
    </>
  );
}
