// The dialog of the search: one input, and below it what was found, by kind. Nothing that was searched for is kept.
import { Dialog } from '@base-ui/react/dialog';
import { search } from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useRead } from '../../api/read.ts';
import { formatCount } from '../../format/numbers.ts';
import { Problem, toError } from '../../ui/feedback/problem.tsx';
import { SearchIcon } from '../../ui/icons.tsx';
import { useMe } from '../session.ts';
import css from './search.module.css';
import { type Choice, findId, type Group, groupPages, groupResults } from './search-results.ts';

const typingMs = 200;
const shortest = 2;
const longest = 100;

// biome-ignore lint/style/noDefaultExport: React.lazy loads the default export
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const { role } = useMe();
  const navigate = useNavigate();
  const listId = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [opensFirst, setOpensFirst] = useState(false);
  const typed = findId(text) ?? text.trim();
  const asked = usePaused(typed);
  const canAsk = asked.length >= shortest && asked.length <= longest;
  const query = useRead(search, { query: { q: asked } }, { enabled: canAsk });
  const isSettled = asked === typed && (!canAsk || (!query.isFetching && !query.isPlaceholderData));
  const found = canAsk && !query.isError ? groupResults(query.data?.data ?? []) : [];
  const groups = typed.length > longest ? [] : [...found, ...groupPages(typed, role === 'operator')];
  const choices = groups.flatMap((group) => group.choices);
  const current = choices[Math.min(active, choices.length - 1)];

  const open = (choice: Choice) => {
    onClose();
    void navigate({ to: choice.href });
  };
  // Enter right after pasting an id waits for the answer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a settled answer matters
  useEffect(() => {
    if (!opensFirst || !isSettled) return;
    setOpensFirst(false);
    if (choices[0]) open(choices[0]);
  }, [opensFirst, isSettled]);

  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && choices.length > 0) {
      event.preventDefault();
      setActive((Math.min(active, choices.length - 1) + step + choices.length) % choices.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (!isSettled) setOpensFirst(true);
      else if (current) open(current);
    }
  }

  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop} />
        <Dialog.Popup className={css.popup} aria-label="Search">
          <div className={css.head}>
            <SearchIcon />
            <input
              className={css.input}
              role="combobox"
              aria-label="Search"
              aria-expanded={choices.length > 0}
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={current && `${listId}-${current.key}`}
              placeholder="A name, an address, a URL or an id"
              autoComplete="off"
              spellCheck={false}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setActive(0);
                setOpensFirst(false);
              }}
              onKeyDown={onKeyDown}
            />
          </div>
          {query.isError && canAsk && <Problem error={toError(query.error)} />}
          <p className={css.status} role="status" data-slow={(!isSettled && choices.length === 0) || undefined}>
            {say({ typed, isSettled, count: choices.length, isFailed: query.isError && canAsk })}
          </p>
          <Results {...{ listId, groups, current, onOpen: open }} onPoint={(choice) => setActive(choices.indexOf(choice))} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type ResultsProps = {
  listId: string;
  groups: readonly Group[];
  current: Choice | undefined;
  onOpen: (choice: Choice) => void;
  onPoint: (choice: Choice) => void;
};
function Results({ listId, groups, current, onOpen, onPoint }: ResultsProps) {
  return (
    <div id={listId} role="listbox" aria-label="Results" className={css.list}>
      {groups.map(({ title, choices }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of options
        <div key={title} role="group" aria-label={title}>
          <p className={css.group} aria-hidden="true">
            {title}
          </p>
          {choices.map((choice) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the input has the focus, and the keys
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
            <div
              key={choice.key}
              id={`${listId}-${choice.key}`}
              role="option"
              aria-selected={choice === current}
              className={css.choice}
              ref={choice === current ? scrollTo : null}
              onPointerMove={() => onPoint(choice)}
              onClick={() => onOpen(choice)}
            >
              <span className={css.label}>{choice.label}</span>
              {choice.isId ? (
                <code className={css.about}>{choice.about}</code>
              ) : (
                <span className={css.about}>{choice.about}</span>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

const scrollTo = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

type Said = { typed: string; isSettled: boolean; isFailed: boolean; count: number };
function say({ typed, isSettled, isFailed, count }: Said): string {
  if (typed === '') return 'A line of a log works too, if it has an id.';
  if (typed.length < shortest) return 'Type at least two characters.';
  if (typed.length > longest) return 'Search for at most 100 characters, or for an id.';
  if (isFailed) return '';
  if (count > 0) return formatCount(count, 'result', 'results');
  return isSettled ? `Nothing that you can see matches “${typed}”.` : 'Searching…';
}

/** The text when the person pauses. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
