// How many of the last events the filter of a form lets through, while the person edits it.
import { ConcordError, checkFilter, type FilterCheck, type WebhookEndpoint } from '@concord/client';
import { useEffect, useState } from 'react';
import { client } from '#api/client.ts';
import { useAccess } from '#app/session.ts';
import { formatNumber } from '#format/numbers.ts';
import { Soft } from '#ui/text/text.tsx';
import { readFilter } from './rows.ts';

/** After the last change. */
const pauseMs = 400;

type Props = {
  environment: WebhookEndpoint['environment'];
  eventTypes: WebhookEndpoint['event_types'];
  text: string;
};

export function FilterCount({ environment, eventTypes, text }: Props) {
  const { can, partner } = useAccess();
  const mayCheck = can('events', 'query') && can('webhook_endpoints', 'post');
  const [says, setSays] = useState('');

  useEffect(() => {
    const filter = readFilter(text);
    setSays('');
    if (!mayCheck || !filter) return;
    const aborted = new AbortController();
    const timer = setTimeout(async () => {
      const body = { event_types: eventTypes, environment, filter };
      try {
        const { signal } = aborted;
        const found = await checkFilter({ client, path: { id: partner }, body, signal });
        if (!signal.aborted) setSays(inWords(found));
      } catch (error) {
        if (aborted.signal.aborted) return;
        if (!(error instanceof ConcordError)) throw error;
        setSays(`${error.faults[0]?.message ?? error.message}.`.replace(/\.\.$/, '.'));
      }
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      aborted.abort();
    };
  }, [partner, environment, eventTypes, text, mayCheck]);

  return (
    <p role="status">
      <Soft>{says}</Soft>
    </p>
  );
}

const inWords = ({ examined, matching, complete }: FilterCheck): string =>
  examined === 0
    ? 'No event of these types was published lately, so nothing can be counted.'
    : `${formatNumber(matching)} of the last ${formatNumber(examined)} events match${complete ? '' : '. They are too large to examine more'}.`;
