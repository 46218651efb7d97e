// How many of the last events the filter of a form lets through, while the person edits it.
import { type CheckFilter, ConcordError, checkFilter, type FilterCheck } from '@concord/client';
import { type RefObject, useEffect, useState } from 'react';
import { client } from '../../../../api/client.ts';
import { useAccess } from '../../../../app/session.ts';
import { formatNumber } from '../../../../format/numbers.ts';
import { Soft } from '../../../../ui/text/text.tsx';
import { readFilter } from './rows.ts';

/** After the last change. */
const pauseMs = 400;

type Props = {
  partner: string;
  /** Undefined: the form has a field for it. */
  environment: WebhookEnvironment | undefined;
  text: string;
  /** A field of the form, which also has the event types. */
  field: RefObject<HTMLInputElement | null>;
};
type WebhookEnvironment = NonNullable<CheckFilter['environment']>;

export function FilterCount({ partner, environment, text, field }: Props) {
  const { can } = useAccess(partner);
  const mayCheck = can('events', 'query') && can('webhook_endpoints', 'post');
  const [says, setSays] = useState('');
  const [others, setOthers] = useState('');

  useEffect(() => {
    const form = field.current?.form;
    if (!form) return;
    const read = () => setOthers(JSON.stringify(othersOf(form)));
    read();
    form.addEventListener('change', read);
    return () => form.removeEventListener('change', read);
  }, [field]);

  useEffect(() => {
    const filter = readFilter(text);
    setSays('');
    if (!mayCheck || !filter || others === '') return;
    const aborted = new AbortController();
    const timer = setTimeout(async () => {
      const chosen: Pick<CheckFilter, 'event_types' | 'environment'> = JSON.parse(others);
      const body = { ...chosen, ...(environment && { environment }), filter };
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
  }, [partner, environment, text, others, mayCheck]);

  return (
    <p role="status">
      <Soft>{says}</Soft>
    </p>
  );
}

function othersOf(form: HTMLFormElement): Pick<CheckFilter, 'event_types' | 'environment'> {
  const data = new FormData(form);
  const environment = data.get('environment');
  return {
    event_types: data.get('which_types') === 'all' ? null : data.getAll('event_types').map(String),
    ...((environment === 'live' || environment === 'sandbox') && { environment }),
  };
}

const inWords = ({ examined, matching, complete }: FilterCheck): string =>
  examined === 0
    ? 'No event of these types was published lately, so nothing can be counted.'
    : `${formatNumber(matching)} of the last ${formatNumber(examined)} events match${complete ? '' : '. They are too large to examine more'}.`;
