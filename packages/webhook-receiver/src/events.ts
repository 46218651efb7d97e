// The envelope of events, and reading it from a verified body.
import { WebhookError } from './errors.ts';

/**
 * The body of a webhook. Describe your own event types with it: `WebhookEvent<'invoice.paid', { invoice:
 * string }>`.
 * Only `id`, `type` and `partner_id` are checked; the sender checks `data` against the schema of the type.
 */
export type WebhookEvent<Type extends string = string, Data = unknown> = {
  /** The same in all attempts. */
  readonly id: string;
  readonly type: Type;
  /** An RFC 3339 timestamp. */
  readonly created_at: string;
  /** The partner to which the event belongs. */
  readonly partner_id: string;
  readonly environment: 'live' | 'sandbox';
  readonly data: Data;
};

/**
 * The body of a webhook of an endpoint with `payload: "thin"`: it has no data. Fetch that with `GET
 * /partners/{partner_id}/events/{id}` of Concord, with a token that may get events.
 */
export type ThinWebhookEvent<Type extends string = string> = Omit<WebhookEvent<Type>, 'data'>;

/** The partners whose events are accepted: exactly one of the two members. */
export type PartnerOptions =
  | {
      /**
       * The id of your partner, or of several: `ptr_...`. Events of other partners are refused, because
       * anyone with a partner of their own can register your URL and publish to it.
       */
      readonly partnerId: string | readonly string[];
      readonly anyPartner?: undefined;
    }
  | {
      /**
       * Accepts the events of every partner of the service. `handle` must then decide by `event.partner_id`.
       */
      readonly anyPartner: true;
      readonly partnerId?: undefined;
    };

/** The most events in a batch. */
const maxEvents = 100;

/** The event of the body, or those of a batch, which is an array. */
export function parseEvents(body: Uint8Array): readonly ThinWebhookEvent[] {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new WebhookError('event_invalid', 'event', 'The body must be JSON', { cause });
  }
  if (!Array.isArray(content)) return [toEvent(content, 'The body')];
  if (content.length < 1 || content.length > maxEvents)
    throw invalid(`A batch must have 1 to ${maxEvents} events, but has ${content.length}`);
  const events = content.map((event) => toEvent(event, 'Each event of a batch'));
  if (new Set(events.map(({ id }) => id)).size < events.length)
    throw invalid('A batch must not have two events with the same id');
  return events;
}

const invalid = (message: string) => new WebhookError('event_invalid', 'event', message);

function toEvent(event: unknown, what: string): ThinWebhookEvent {
  const { id, type, partner_id } = (event ?? {}) as Partial<ThinWebhookEvent>;
  if (typeof id !== 'string' || typeof type !== 'string' || typeof partner_id !== 'string')
    throw invalid(`${what} must have the strings id, type and partner_id`);
  return event as ThinWebhookEvent;
}

export function assertPartner(
  { partner_id }: Pick<ThinWebhookEvent, 'partner_id'>,
  { partnerId, anyPartner }: PartnerOptions,
): void {
  if (anyPartner === true || [partnerId].flat().includes(partner_id)) return;
  throw new WebhookError(
    'partner_mismatch',
    'partner',
    `The event belongs to partner ${partner_id}, which registered this URL. Only events of ${[partnerId].flat().join(', ')} are accepted`,
  );
}
