// Small texts that every list has: times, ids, states, and pairs of a name and a value.
import { type ReactNode, useEffect, useState } from 'react';
import { formatAge, formatDay, formatExactTime, isFar } from '#format/time.ts';
import type { StatusTone } from '#messages/state.ts';
import { classNames } from '../class-names.ts';
import { CopyButton } from './copy-button.tsx';
import { Hint } from './hint.tsx';
import css from './text.module.css';

const tickMs = 20_000;

/**
 * `3 min. ago`, with the exact time on hover and focus, and with its date beside it if it is far away. Null
 * is a dash.
 */
export function Time({ at, none = '–' }: { at: string | null | undefined; none?: string }) {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  if (at === null || at === undefined) return <span className={classNames(css.faint, css.time)}>{none}</span>;
  return (
    <Hint text={formatExactTime(at)}>
      <time dateTime={at} className={css.time}>
        <NoWrap>{formatAge(at)}</NoWrap>
        {isFar(at) && (
          <>
            {' '}
            <span className={classNames(css.faint, css.noWrap)}>{formatDay(at)}</span>
          </>
        )}
      </time>
    </Hint>
  );
}

const shownStart = 8;
const shownEnd = 4;
/** Shortened in the middle: `prt_019a…4f2c`. */
export const shortId = (id: string): string =>
  id.length <= shownStart + shownEnd + 1 ? id : `${id.slice(0, shownStart)}…${id.slice(-shownEnd)}`;

/** As many as `--endpoint-cell-narrow` has room for. */
const shownTail = 12;
/** One line that is cut in the middle where there is no room, so that its end can be read. */
export function MiddleCut({ text }: { text: string }) {
  return (
    <span className={css.cut}>
      <span>{text.slice(0, -shownTail)}</span>
      <span>{text.slice(-shownTail)}</span>
    </span>
  );
}

/** The button copies all of it. */
export function Id({ id }: { id: string }) {
  const shown = shortId(id);
  return (
    <span className={css.id}>
      <code title={id} className={classNames(shown !== id && css.short)}>
        {shown}
      </code>
      <CopyButton text={id} label="Copy the id" />
    </span>
  );
}

type StatusProps = { tone: StatusTone; label?: string; children?: ReactNode };
/** A coloured dot with the word of a state, `<Status {...state} />`, or with `children`. */
export function Status({ tone, label, children = label }: StatusProps) {
  return (
    <span className={css.status}>
      <span className={classNames(css.dot, css[tone])} aria-hidden="true" />
      {children}
    </span>
  );
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className={css.facts}>{children}</dl>;
}
type FactProps = { name: string; children?: ReactNode; at?: string | null; id?: string; isLong?: boolean };

/** In place of children, `at` is a time, and `id` an id. `isLong`: it takes the whole line. */
export function Fact({ name, children, at, id, isLong = false }: FactProps) {
  return (
    <div className={isLong ? css.long : undefined}>
      <dt>{name}</dt>
      <dd>
        {at !== undefined && <Time at={at} />}
        {id !== undefined && <Id id={id} />}
        {children}
      </dd>
    </div>
  );
}

export const NoWrap = ({ children }: { children: ReactNode }) => (
  <span className={css.noWrap}>{children}</span>
);
export const Soft = ({ children }: { children: ReactNode }) => <span className={css.soft}>{children}</span>;
export const Faint = ({ children }: { children: ReactNode }) => <span className={css.faint}>{children}</span>;
/** Breaks after its `@` where it must break. */
export function EmailAddress({ email }: { email: string | null }) {
  const domainAt = (email?.lastIndexOf('@') ?? -1) + 1;
  return (
    <>
      {email?.slice(0, domainAt)}
      <wbr />
      {email?.slice(domainAt)}
    </>
  );
}
/** Below one another. */
export const Lines = ({ children }: { children: ReactNode }) => <span className={css.lines}>{children}</span>;
/** Read aloud, and not shown. */
export const Unseen = ({ children }: { children: ReactNode }) => <span data-unseen>{children}</span>;
