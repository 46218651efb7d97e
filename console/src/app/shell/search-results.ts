// What the search finds: its kinds in words, and the page that each result leads to.
import type { Event, SearchResult } from '@concord/client';
import type { Choice, Group } from '#ui/finder/finder.tsx';
import { accountPages, type PageGroup } from './pages.ts';

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

/** Beside those of the rail. */
const otherPages = [
  { label: 'Start', about: '', href: '/' },
  ...accountPages.map(([label, href]) => ({ label, about: 'Your account', href })),
];

/** The pages whose name, or that of their group, has the text. */
export function groupPages(text: string, groups: readonly PageGroup[], partner: string): Group<Found>[] {
  const pages = groups.flatMap(({ name, pages }) =>
    pages.map(([label, , to]) => ({ label, about: name, href: to.replace('$partner', partner) })),
  );
  const choices = [...otherPages, ...pages]
    .filter(({ label, about }) => `${label} ${about}`.toLowerCase().includes(text.toLowerCase()))
    .map((page) => ({ key: page.href, ...page }));
  return choices.length === 0 ? [] : [{ title: 'Pages', choices }];
}

const idPattern = /(?<![0-9a-z])(?:ptr|agr|usr|whe|evt|dlv)_[0-7][0-9a-hjkmnp-tv-z]{25}(?![0-9a-z])/i;
/** The first id in the text, so that a whole line of a log can be pasted. Null: it has none. */
export const findId = (text: string): string | null => idPattern.exec(text)?.[0].toLowerCase() ?? null;
