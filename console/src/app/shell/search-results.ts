// What the search finds: its kinds in words, and the page that each result leads to.
import type { Event, SearchResult } from '@concord/client';
import type { Choice, Group } from '../../ui/finder/finder.tsx';

/** What leads to a page. */
type Found = Choice & { readonly href: string };

const kinds: readonly { kind: SearchResult['kind']; title: string }[] = [
  { kind: 'partner', title: 'Partners' },
  { kind: 'agreement', title: 'People' },
  { kind: 'user', title: 'Users' },
  { kind: 'webhook_endpoint', title: 'Endpoints' },
  { kind: 'event', title: 'Events' },
  { kind: 'delivery', title: 'Deliveries' },
  { kind: 'event_type', title: 'Event types' },
];

/** The API finds at most so many of a kind. */
const mostOfAKind = 20;

/** `partner`: the one whose pages are open. */
export const groupResults = (results: readonly SearchResult[], partner?: string): Group<Found>[] =>
  kinds
    .map(({ kind, title }) => ({
      title,
      choices: results.filter((result) => result.kind === kind).map((result) => toChoice(result, partner)),
    }))
    .filter(({ choices }) => choices.length > 0)
    .map(({ title, choices }) => ({
      title: choices.length < mostOfAKind ? title : `${title}, the first ${mostOfAKind}`,
      choices,
    }));

function toChoice(result: SearchResult, partner: string | undefined): Found {
  const { kind, id, label, partner_name } = result;
  const href = hrefOf(result, partner);
  if (kind === 'event_type') return { key: id, label, href };
  // Many have the same label. Events and deliveries are told apart by their ids, the others by their
  // partners.
  if (kind === 'agreement' || kind === 'webhook_endpoint')
    return { key: id, label, about: partner_name ?? '', href };
  return { key: id, label, about: id, isId: true, href };
}

function hrefOf({ kind, id, partner_id }: SearchResult, open: string | undefined): string {
  if (kind === 'event_type')
    return open === undefined ? `/admin/event-types/${id}` : `/p/${open}/webhooks/event-types/${id}`;
  const partner = `/p/${partner_id ?? ''}`;
  if (kind === 'partner') return partner;
  if (kind === 'user') return `/admin/users/${id}`;
  if (kind === 'agreement') return `${partner}/people/${id}`;
  if (kind === 'webhook_endpoint') return `${partner}/webhooks/endpoints/${id}`;
  return `${partner}/webhooks/${kind === 'event' ? 'events' : 'deliveries'}/${id}`;
}

/** Events of the open partner whose data has the text, the newest first. */
export const groupEvents = (events: readonly Event[], partner: string): Group<Found>[] =>
  events.length === 0
    ? []
    : [
        {
          title: 'Events with this text, the newest',
          choices: events.map(({ id, type }) => ({
            ...{ key: id, label: type, about: id, isId: true },
            href: `/p/${partner}/webhooks/events/${id}`,
          })),
        },
      ];

const pages: readonly { label: string; href: string; isPlatform?: true }[] = [
  { label: 'Start', href: '/' },
  { label: 'Your account', href: '/account' },
  { label: 'Your sessions', href: '/account/sessions' },
  { label: 'Your access tokens', href: '/account/tokens' },
  { label: 'Platform', href: '/admin', isPlatform: true },
  { label: 'All partners', href: '/admin/partners', isPlatform: true },
  { label: 'Users', href: '/admin/users', isPlatform: true },
  { label: 'Event types', href: '/admin/event-types', isPlatform: true },
  { label: 'Signing keys', href: '/admin/signing-keys', isPlatform: true },
  { label: 'Audit log', href: '/admin/audit', isPlatform: true },
  { label: 'System', href: '/admin/system', isPlatform: true },
];

/** The pages whose name has the text. */
export function groupPages(text: string, isOperator: boolean): Group<Found>[] {
  const choices = pages
    .filter(
      ({ label, isPlatform }) =>
        (isOperator || !isPlatform) && label.toLowerCase().includes(text.toLowerCase()),
    )
    .map(({ label, href }) => ({ key: href, label, about: '', href }));
  return choices.length === 0 ? [] : [{ title: 'Pages', choices }];
}

const idPattern = /(?<![0-9a-z])(?:ptr|agr|usr|whe|evt|dlv)_[0-7][0-9a-hjkmnp-tv-z]{25}(?![0-9a-z])/i;
/** The first id in the text, so that a whole line of a log can be pasted. Null: it has none. */
export const findId = (text: string): string | null => idPattern.exec(text)?.[0].toLowerCase() ?? null;
