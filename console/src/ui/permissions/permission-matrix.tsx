// What somebody may do, by resource and method. A click or Enter on a cell says why.
import { type ReactNode, useState } from 'react';
import type { Method, Resource } from '#messages/permissions.ts';
import { permissionName, resources } from '#messages/permissions.ts';
import { CheckIcon } from '../icons.tsx';
import { Grid } from './grid.tsx';
import css from './permissions.module.css';

export type Explained = { readonly isAllowed: boolean; readonly why: ReactNode };

type Props = {
  /** Whose permissions: "Permissions of Ann Lee". */
  label: string;
  explain: (resource: Resource, method: Method) => Explained;
};

export function PermissionMatrix({ label, explain }: Props) {
  const [asked, setAsked] = useState<readonly [Resource, Method] | null>(null);
  const answer = asked && explain(...asked);
  return (
    <div className={css.stack}>
      <Grid
        label={label}
        rows={resources}
        cell={(resource, method, props) => {
          // The rows have no `*`.
          const permission = [resource as Resource, method] as const;
          const { isAllowed } = explain(...permission);
          return (
            <button
              {...props}
              type="button"
              className={css.cell}
              aria-label={`${permissionName(resource, method)}, ${isAllowed ? 'allowed' : 'not allowed'}. Why?`}
              aria-pressed={asked?.[0] === resource && asked[1] === method}
              data-allowed={isAllowed || undefined}
              onClick={() => setAsked(permission)}
            >
              {isAllowed ? <CheckIcon /> : <span aria-hidden="true">–</span>}
            </button>
          );
        }}
      />
      <div className={css.answer} aria-live="polite">
        {answer === null || asked === null ? (
          <p>Choose a cell to see which grant gives it, or why nothing does.</p>
        ) : (
          <p>
            <strong>
              {permissionName(...asked)} is {answer.isAllowed ? 'allowed' : 'not allowed'}.
            </strong>{' '}
            {answer.why}
          </p>
        )}
      </div>
    </div>
  );
}
