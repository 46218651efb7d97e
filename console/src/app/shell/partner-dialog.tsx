// Finds a partner by its name.
import { listPartners } from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { Problem, toError } from '#ui/feedback/feedback.tsx';
import { Finder, usePaused } from '#ui/finder.tsx';

const shown = 20;

export function PartnerDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const typed = text.trim();
  const asked = usePaused(typed);
  const query = useRead(listPartners, {
    query: { page_size: shown, sort_by: 'name', ...(asked !== '' && { 'filter[name]': asked }) },
  });
  const isSettled = asked === typed && !query.isFetching;
  const choices = (query.data?.data ?? []).map(({ id, name }) => ({ key: id, label: name }));
  const hasMore = query.data !== undefined && query.data.next !== null;
  return (
    <Finder
      label="Choose a partner"
      placeholder="The name of a partner"
      text={text}
      isSettled={isSettled}
      onClose={onClose}
      onText={setText}
      groups={choices.length === 0 ? [] : [{ title: hasMore ? `The first ${shown}` : 'Partners', choices }]}
      status={
        choices.length > 0 || query.isError
          ? ''
          : isSettled
            ? 'No partner that you can see has such a name.'
            : 'Searching…'
      }
      problem={query.isError && <Problem error={toError(query.error)} />}
      onOpen={({ key }) => void navigate({ to: '/p/$partner', params: { partner: key } })}
    />
  );
}
