// The vectors of batches: a signed array of events.
import { refuseWith } from './edits.ts';
import { type Case, event, makeRequest, otherPartnerId } from './request.ts';

const batch = (...events: unknown[]) =>
  makeRequest({ id: 'bat_01kdv0000000000000000000', body: JSON.stringify(events) });
const some = (count: number) => Array.from({ length: count }, (_, index) => event(`evt_${index}`, {}));
const [first, second, third] = some(3);
const noEvent = refuseWith('event', 'event_invalid');

export function acceptedBatches(): Case[] {
  const accept = (name: string, request: Case['request']): Case => ({
    name,
    accept: true,
    batch: true,
    request,
  });
  return [
    accept('a batch of three events', batch(first, second, third)),
    accept('a batch of one event', batch(first)),
    accept('a batch of 100 events', batch(...some(100))),
  ];
}

export function refusedBatches(): Case[] {
  return [
    noEvent('a batch without an event', batch()),
    noEvent('a batch of 101 events', batch(...some(101))),
    noEvent('a batch with a number in the middle', batch(first, 1, third)),
    noEvent('a batch in a batch', batch(first, [second], third)),
    noEvent('a batch with the same event twice', batch(first, second, first)),
    noEvent('a batch with an event without a partner', batch(first, { ...second, partner_id: undefined })),
    refuseWith('partner', 'partner_mismatch')(
      'a batch with an event of another partner in the middle',
      batch(first, { ...second, partner_id: otherPartnerId }, third),
    ),
  ];
}
