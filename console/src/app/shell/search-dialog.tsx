// The search: what the caller can see, by kind. Nothing that was searched for is kept.
import { type Event, listEvents, type SearchResult, search } from '@concord/client';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { formatCount } from '#format/numbers.ts';
import { Problem, toError } from '#ui/feedback/feedback.tsx';
import { type Choice, Finder, type Group, usePaused } from '#ui/finder.tsx';
import { pageOf } from '../page-of.ts';
import { useAccess } from '../session.ts';
import { accountPages, type PageGroup, pageGroups } from './pages.ts';

const shortest = 2;
const longest = 100;
const mostEvents = 5;

/** Without an open partner, only operators have a page of event types. */
const withPlace = (
  results: readonly SearchResult[],
  at: { partner: string | undefined; isOperator: boolean },
) => results.filter(({ kind }) => kind !== 'event_type' || at.partner !== undefined || at.isOperator);

export function SearchDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const typed = findId(text) ?? text.trim();
  const asked = usePaused(typed);
  const canAsk = asked.length >= shortest && asked.length <= longest;
  const query = useRead(search, { query: { q: asked } }, { enabled: canAsk });
  const { partner } = useParams({ strict: false });
  const access = useAccess(partner ?? '');
  const { isOperator } = access;
  const canSearchEvents =
    partner !== undefined && canAsk && findId(asked) === null && access.can('events', 'query');
  const events = useRead(
    listEvents,
    {
      path: { id: partner ?? '' },
      query: { page_size: mostEvents, sort_dir: 'desc', 'filter[text]': asked },
    },
    { enabled: canSearchEvents },
  );
  const isFailed = query.isError && canAsk;
  const isSettled =
    asked === typed && (!canAsk || (!query.isFetching && !query.isPlaceholderData && !events.isFetching));
  const found =
    canAsk && !query.isError
      ? groupResults(withPlace(query.data?.data ?? [], { partner, isOperator }), partner)
      : [];
  const groups =
    typed.length > longest
      ? []
      : [
          ...found,
          ...(canSearchEvents ? groupEvents(events.data?.data ?? [], partner) : []),
          ...groupPages(typed, pageGroups(access, partner ?? null), partner ?? ''),
        ];
  return (
    <Finder
      label="Search"
      placeholder="A name, an address, a URL, an id or a text"
      text={text}
      groups={groups}
      isSettled={isSettled}
      onClose={onClose}
      onText={setText}
      status={say({ typed, isSettled, isFailed, count: groups.flatMap(({ choices }) => choices).length })}
      problem={isFailed && <Problem error={toError(query.error)} />}
      onOpen={({ href }) => void navigate({ to: href })}
    />
  );
}

type Said = { typed: string; isSettled: boolean; isFailed: boolean; count: number };
function say({ typed, isSettled, isFailed, count }: Said): string {
  if (typed === '') return 'A line of a log works too, if it has an id.';
  if (typed.length < shortest) return 'Type at least two characters.';
  if (typed.length > longest) return 'Search for at most 100 characters, or for an id.';
  if (isFailed) return '';
  if (count > 0) return formatCount(count, 'result', 'results');
  return isSettled ? `Nothing that you can see matches “${typed}”.` : 'Searching…';
}

/** What leads to a page. */
type Found = Choice & { readonly href: string };

/** The headings, in their order. */
const titles: Readonly<Record<SearchResult['kind'], string>> = {
  partner: 'Partners',
  agreement: 'People',
  user: 'Users',
  webhook_endpoint: 'Endpoints',
  event: 'Events',
  delivery: 'Deliveries',
  event_type: 'Event types',
};

/** The API finds at most so many of a kind. */
const mostOfAKind = 20;

/** `partner`: the one whose pages are open. */
const groupResults = (results: readonly SearchResult[], partner?: string): Group<Found>[] =>
  Object.entries(titles)
    .map(([kind, title]) => ({
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
  if (kind === 'user') return `/admin/users/${id}`;
  const partner = partner_id ?? '';
  return pageOf(id, partner)?.path ?? `/p/${partner}`;
}

/** Events of the open partner whose data has the text, the newest first. */
const groupEvents = (events: readonly Event[], partner: string): Group<Found>[] =>
  events.length === 0
    ? []
    : [
        {
          title: 'Events with this text, the newest',
          choices: events.map(({ id, type }) => ({
            key: id,
            label: type,
            about: id,
            isId: true,
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
function groupPages(text: string, groups: readonly PageGroup[], partner: string): Group<Found>[] {
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
const findId = (text: string): string | null => idPattern.exec(text)?.[0].toLowerCase() ?? null;
