// The page that shows one thing of a partner, by the prefix of its id.

const kinds = {
  agr: { folder: 'people', name: 'Agreement' },
  apg: { folder: 'groups', name: 'Group' },
  arv: { folder: 'access-reviews', name: 'Access review' },
  idc: { folder: 'single-sign-on', name: 'Connection' },
  whe: { folder: 'webhooks/endpoints', name: 'Endpoint' },
  evt: { folder: 'webhooks/events', name: 'Event' },
  dlv: { folder: 'webhooks/deliveries', name: 'Delivery' },
} as const;

/** `name`: what it is. Null: it has no page. */
export function pageOf(id: string, partner: string): { path: string; name: string } | null {
  const prefix = id.slice(0, id.indexOf('_'));
  if (!isKind(prefix)) return null;
  const { folder, name } = kinds[prefix];
  return { path: `/p/${partner}/${folder}/${id}`, name };
}

const isKind = (prefix: string): prefix is keyof typeof kinds => Object.hasOwn(kinds, prefix);
