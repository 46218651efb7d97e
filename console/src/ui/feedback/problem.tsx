// What went wrong, in a box. It says what to do, and which request to ask about.
import { ConcordError } from '@concord/client';
import type { ReactNode } from 'react';
import { errorText } from '#messages/errors.ts';
import { Banner } from './banner.tsx';
import css from './feedback.module.css';

type Props = {
  error: ConcordError;
  explain?: Readonly<Record<string, string>> | undefined;
  children?: ReactNode;
};

export function Problem({ error, explain, children }: Props) {
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
      {requestId !== null && explain?.[code] === undefined && code !== 'invalid_password' && (
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
