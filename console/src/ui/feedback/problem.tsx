// What went wrong, in a box. It says what to do, and which request to ask about.
import { ConcordError } from '@concord/client';
import type { ReactNode } from 'react';
import { Banner } from './banner.tsx';
import css from './feedback.module.css';

type Props = {
  error: ConcordError;
  explain?: Readonly<Record<string, string>> | undefined;
  children?: ReactNode;
};

const general: Readonly<Record<string, string>> = {
  connection_failed: 'Concord does not answer. Check your connection, then try again.',
  timeout: 'Concord did not answer in time. Try again.',
};

export function Problem({ error, explain, children }: Props) {
  const { code, message, faults, requestId } = error;
  const explanation = explain?.[code];
  return (
    <Banner tone="bad">
      <p>{explanation ?? general[code] ?? message}</p>
      {faults.length > 0 && (
        <ul className={css.faults}>
          {faults.map(({ pointer, message: fault }) => (
            <li key={`${pointer} ${fault}`}>
              <code>{pointer}</code> {fault}
            </li>
          ))}
        </ul>
      )}
      {/* What the page explains is the person's to mend: nobody has to look for it in a log. */}
      {requestId !== null && explanation === undefined && (
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
