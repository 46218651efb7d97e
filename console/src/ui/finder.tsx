// A dialog that finds one thing: an input, and below it what matches. The arrows choose, Enter opens.
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useState,
} from 'react';
import { Modal } from './dialog/modal.tsx';
import css from './finder.module.css';
import { SearchIcon } from './icons.tsx';

export type Choice = {
  readonly key: string;
  readonly label: string;
  /** Which one it is: its partner, or its id. */
  readonly about?: string;
  readonly isId?: boolean;
};
export type Group<C extends Choice> = { readonly title: string; readonly choices: readonly C[] };

type Props<C extends Choice> = {
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  groups: readonly Group<C>[];
  /** Whether `groups` are the answer to `text`. Enter waits for it. */
  isSettled: boolean;
  /** Says how much there is, or why there is nothing. */
  status: string;
  problem?: ReactNode;
  onOpen: (choice: C) => void;
  onClose: () => void;
};

export function Finder<C extends Choice>(props: Props<C>) {
  const { label, placeholder, text, onText, groups, isSettled, status, problem, onOpen, onClose } = props;
  const listId = useId();
  const [active, setActive] = useState(0);
  const [opensFirst, setOpensFirst] = useState(false);
  const choices = groups.flatMap((group) => group.choices);
  const current = choices[Math.min(active, choices.length - 1)];

  const open = (choice: C) => {
    onClose();
    onOpen(choice);
  };
  const openFirst = useEffectEvent(() => (choices[0] ? open(choices[0]) : setOpensFirst(false)));
  // Enter right after pasting an id waits for the answer.
  useEffect(() => {
    if (opensFirst && isSettled) openFirst();
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
    <Modal label={label} className={css.popup} onClose={onClose}>
      <div className={css.head}>
        <SearchIcon />
        <input
          className={css.input}
          role="combobox"
          aria-label={label}
          aria-expanded={choices.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={current && `${listId}-${current.key}`}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            onText(event.target.value);
            setActive(0);
            setOpensFirst(false);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {problem}
      <p className={css.status} role="status" data-slow={(!isSettled && choices.length === 0) || undefined}>
        {status}
      </p>
      <div id={listId} role="listbox" aria-label={`${label}: results`} className={css.list}>
        {groups.map(({ title, choices: inGroup }) => (
          <fieldset key={title} aria-label={title}>
            <p className={css.group} aria-hidden="true">
              {title}
            </p>
            {inGroup.map((choice) => (
              <Option
                key={choice.key}
                id={`${listId}-${choice.key}`}
                choice={choice}
                isCurrent={choice === current}
                onPointerMove={() => setActive(choices.indexOf(choice))}
                onClick={() => open(choice)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </Modal>
  );
}

type OptionProps = ComponentProps<'button'> & { choice: Choice; isCurrent: boolean };

/** The input keeps the focus and has the keys. */
function Option({ choice: { label, about, isId }, isCurrent, ...button }: OptionProps) {
  const About = isId ? 'code' : 'span';
  return (
    <button
      {...button}
      type="button"
      tabIndex={-1}
      role="option"
      aria-selected={isCurrent}
      className={css.choice}
      ref={isCurrent ? scrollTo : null}
      onMouseDown={(event) => event.preventDefault()}
    >
      <span className={css.label}>{label}</span>
      <About className={css.about}>{about}</About>
    </button>
  );
}

const scrollTo = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

const typingMs = 200;

export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
