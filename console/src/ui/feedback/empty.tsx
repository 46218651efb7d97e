// A list without items: one sentence, a button if the page has none, and the same as a command.
import type { ReactNode } from 'react';
import { Code } from '../text/code.tsx';
import css from './feedback.module.css';

export function Empty({
  children,
  action,
  command,
}: {
  children: ReactNode;
  action?: ReactNode;
  command?: string;
}) {
  return (
    <div className={css.empty} data-empty>
      <p>{children}</p>
      {action}
      {command !== undefined && <Code label="The same as a command" text={command} />}
    </div>
  );
}
