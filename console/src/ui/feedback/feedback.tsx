// How something went: a box, what went wrong, and what a query read once it is there.
import { ConcordError } from '@concord/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useHealth, useLate } from '#api/health.ts';
import type { Tone } from '#api/toasts.ts';
import { errorText } from '#messages/errors.ts';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import tones from '../tones.module.css';
import css from './feedback.module.css';

/** A box that says something about the whole page or form. A `bad` one is read aloud at once. */
export function Banner({ tone, title, children }: { tone: Tone; title?: string; children?: ReactNode }) {
  return (
    <div className={classNames(css.banner, tones[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
      {title !== undefined && <p className={css.title}>{title}</p>}
      {children}
    </div>
  );
}

/** Beside the button of what is being sent, since a dialog hides the banner of the page. */
export function Waiting() {
  const isLate = useLate() > 0;
  const isUnreachable = useHealth().state === 'unreachable';
  if (!isLate && !isUnreachable) return null;
  return (
    <p className={css.waiting} role="status">
      Concord has not answered yet.
    </p>
  );
}

type ProblemProps = {
  error: ConcordError;
  explain?: Readonly<Record<string, string>> | undefined;
  children?: ReactNode;
};

const wrongPassword = ['invalid_password', 'invalid_credentials'];

/** It says what to do, and which request to ask about. */
export function Problem({ error, explain, children }: ProblemProps) {
  const { code, faults, requestId } = error;
  return (
    <Banner tone="bad">
      <p>{errorText(error, explain)}</p>
      {faults.length > 0 && (
        <ul className={css.faults}>
          {faults.map(({ pointer, message: fault }) => (
            <li key={`${pointer} ${fault}`}>
              <code>{pointer}</code> {fault}
            </li>
          ))}
        </ul>
      )}
      {/* What the page explains, and a password, is the person's to mend: nobody has to look for it in a log. */}
      {requestId !== null && explain?.[code] === undefined && !wrongPassword.includes(code) && (
        <p className={css.small}>
          Request <code>{requestId}</code>
        </p>
      )}
      {children}
    </Banner>
  );
}

/** Anything that was thrown, as an error of the client. */
export const toError = (error: unknown): ConcordError =>
  error instanceof ConcordError
    ? error
    : new ConcordError(error instanceof Error ? error.message : String(error), {
        code: 'page_failed',
        cause: error,
      });

type Props<Data> = {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
  /** How many lines the content will have, so that it does not jump. */
  lines?: number;
  /** For 403 `forbidden` and 404, where the page knows more than the answer says. */
  denied?: ReactNode;
  missing?: ReactNode;
  /** Around what is shown in its place, if the content is a page with a title of its own. */
  frame?: (shown: ReactNode) => ReactNode;
};

/** Before the data is there a skeleton, and after a failure what to do about it. */
export function Loaded<Data>({ query, children, frame = (shown) => shown, ...others }: Props<Data>) {
  // A list that was read stays, also when reading it again fails: the banner says so.
  if (query.data !== undefined && !isFinal(query.error)) return children(query.data);
  return frame(<Unread query={query} {...others} />);
}

/** In its place until then. */
export function Unread<Data>({ query, lines = 4, denied, missing }: Omit<Props<Data>, 'children' | 'frame'>) {
  const [known, setKnown] = useState(query.error);
  if (query.error !== null && query.error !== known) setKnown(query.error);
  // What is read again while it is denied: a form in its place must not lose what was typed.
  const isForbidden = known instanceof ConcordError && known.code === 'forbidden';
  const isAgain = denied !== undefined && isForbidden && query.errorUpdateCount > 0;
  if (query.error === null && !isAgain) return <Skeleton lines={lines} />;
  const error = toError(query.error ?? known);
  // The frame of the page says how to sign in.
  if (error.code === 'sso_required')
    return <p className={css.empty}>This is closed until you have signed in with the identity provider.</p>;
  if (error.code === 'forbidden' && denied !== undefined) return denied;
  if (error.status === 404)
    return missing ?? <p className={css.empty}>This does not exist, or you have no access to it.</p>;
  return (
    <Problem error={error}>
      <div>
        <Button onClick={() => void query.refetch()}>Try again</Button>
      </div>
    </Problem>
  );
}

/** The caller lost the access, or the thing is gone: what was read before must not stay. */
const isFinal = (error: unknown): boolean =>
  error instanceof ConcordError && [401, 403, 404].includes(error.status ?? 0);

/** Lines in the place of text. They appear after 300 ms, so that a quick answer does not flicker. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div className={css.skeleton} aria-busy="true">
      <span data-unseen>Loading</span>
      {[...Array(lines).keys()].map((line) => (
        <span key={line} className={css.bone} />
      ))}
    </div>
  );
}
