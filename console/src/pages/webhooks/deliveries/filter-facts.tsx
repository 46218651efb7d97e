// Filters of deliveries in words.
import type { StartReplay } from '@concord/client';
import { formatExactTime } from '#format/time.ts';
import { attemptReasons, deliveryStates, deliveryStatus, environments } from '#messages/webhooks.ts';
import { Fact } from '#ui/text/text.tsx';

const names: Readonly<Record<keyof StartReplay, string>> = {
  state: 'Status',
  status: 'Status',
  environment: 'Environment',
  endpoint_id: 'Endpoint',
  event_id: 'Event',
  event_type: 'Event type',
  created_at: 'Published',
  status_code: 'Answer',
  reason: 'Failure',
  attempt_count: 'Attempts',
};

type UrlOf = (endpoint: string) => string | undefined;

export const FilterFacts = ({ filter, urlOf }: { filter: StartReplay; urlOf: UrlOf }) =>
  toFilterTexts(filter, urlOf).map(({ name, text }) => (
    <Fact key={`${name} ${text}`} name={name}>
      {text}
    </Fact>
  ));

export const toFilterTexts = (filter: StartReplay, urlOf: UrlOf): { name: string; text: string }[] =>
  (Object.keys(names) as (keyof StartReplay)[]).flatMap((key) => {
    const value = filter[key];
    return value === undefined ? [] : [{ name: names[key], text: toText(filter, key, urlOf) }];
  });

function toText(filter: StartReplay, key: keyof StartReplay, urlOf: UrlOf): string {
  const { state, status, environment, endpoint_id, reason, created_at } = filter;
  if (key === 'state' && state) return deliveryStates[state].label;
  if (key === 'status' && status) return deliveryStatus[status].label;
  if (key === 'environment' && environment) return environments[environment];
  if (key === 'endpoint_id' && endpoint_id) return urlOf(endpoint_id) ?? endpoint_id;
  if (key === 'reason' && reason) return attemptReasons[reason].label;
  if (key === 'created_at' && created_at) return toPeriod(created_at);
  return filter[key] ?? '';
}

function toPeriod(period: string): string {
  const [from = '', to = ''] = period.split('..');
  const start = from === '' ? '' : `from ${formatExactTime(from)}`;
  return [start, to === '' ? '' : `before ${formatExactTime(to)}`].filter(Boolean).join(', ');
}
