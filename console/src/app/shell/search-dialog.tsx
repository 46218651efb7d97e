// The search: what the caller can see, by kind. Nothing that was searched for is kept.
import { listEvents, type SearchResult, search } from '@concord/client';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { formatCount } from '#format/numbers.ts';
import { Problem, toError } from '#ui/feedback/problem.tsx';
import { Finder, usePaused } from '#ui/finder/finder.tsx';
import { useAccess } from '../session.ts';
import { pageGroups } from './pages.ts';
import { findId, groupEvents, groupPages, groupResults } from './search-results.ts';

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
  const { partner } = useParams({ strict: false }) as { partner?: string };
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
      {...{ text, groups, isSettled, onClose }}
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
