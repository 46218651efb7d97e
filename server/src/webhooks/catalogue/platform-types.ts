// The event types about the platform itself (behaviour W66): only Concord publishes them, to the platform's partner.

type Member = Record<string, unknown>;

export const id = (prefix: string): Member => ({ type: 'string', pattern: `^${prefix}_[0-9a-z]{26}$` });
export const time: Member = { type: 'string', format: 'date-time' };
const orNull = (member: Member): Member => ({ ...member, type: [member.type, 'null'] });
const text: Member = { type: 'string' };

const partner = { partner_id: id('ptr') };
const endpoint = { ...partner, endpoint_id: id('whe'), host: text };
const member = { ...partner, agreement_id: id('agr'), user_id: text, owner: { type: 'boolean' } };

const at = '2026-01-01T00:00:00.000Z';
const examples: Readonly<Record<string, unknown>> = {
  occurred_at: at,
  partner_id: 'ptr_01h2xcejqtf2nbrexx3vqjhp41',
  endpoint_id: 'whe_01h2xcejqtf2nbrexx3vqjhp41',
  delivery_id: 'dlv_01h2xcejqtf2nbrexx3vqjhp41',
  event_id: 'evt_01h2xcejqtf2nbrexx3vqjhp41',
  agreement_id: 'agr_01h2xcejqtf2nbrexx3vqjhp41',
  user_id: 'usr_01h2xcejqtf2nbrexx3vqjhp41',
  host: 'hooks.example.com',
  failing_since: at,
  reason: 'timeout',
  event_type: 'inventory.updated',
  attempt_count: 11,
  status_code: null,
  owner: false,
  environment: 'live',
  kid: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
};

/** `own`: examples of members that no other type has, or that differ. */
export function define(name: string, description: string, properties: Record<string, Member>, own = {}) {
  const members = Object.keys(properties);
  const all: Member = { ...examples, ...own };
  return {
    name,
    description,
    schema: { type: 'object', required: members, additionalProperties: false, properties },
    example: Object.fromEntries(members.map((each) => [each, all[each]])),
  };
}

const ofPlatform = (name: string, description: string, properties: Record<string, Member>, own = {}) =>
  define(name, description, { occurred_at: time, ...properties }, own);

export const platformTypes = [
  ofPlatform('partner.created', 'A partner was created.', partner),
  ofPlatform('partner.deleted', 'A partner was deleted. It can be restored for 30 days.', partner),
  ofPlatform('agreement.accepted', 'A person has accepted an agreement.', member),
  ofPlatform(
    'agreement.ended',
    'An accepted agreement has expired, or was deleted.',
    {
      ...member,
      reason: { enum: ['expired', 'deleted'] },
    },
    { reason: 'expired' },
  ),
  ofPlatform('webhook_endpoint.failing', 'Every attempt at a live endpoint has failed for five minutes.', {
    ...endpoint,
    failing_since: time,
  }),
  ofPlatform('webhook_endpoint.recovered', 'An attempt at a failing endpoint has succeeded.', {
    ...endpoint,
    failing_since: time,
  }),
  ofPlatform('webhook_endpoint.disabled', 'A live endpoint was disabled.', { ...endpoint, reason: text }),
  ofPlatform('delivery.failed', 'A live delivery has failed, and is not tried again.', {
    ...partner,
    endpoint_id: id('whe'),
    delivery_id: id('dlv'),
    event_id: id('evt'),
    event_type: text,
    attempt_count: { type: 'integer' },
    status_code: orNull({ type: 'integer' }),
    reason: orNull(text),
  }),
  ofPlatform('signing_key.rotated', 'Another key signs webhooks from now on.', {
    environment: { enum: ['live', 'sandbox'] },
    kid: text,
  }),
];

const names = new Set(platformTypes.map(({ name }) => name));
export const isPlatformType = (name: string): boolean => names.has(name);
