// What a change gives and takes, before it is saved.
import { namePermissions } from '#messages/permissions.ts';
import type { Difference } from './permission-sets.ts';
import css from './permissions.module.css';

export function Changes({ gained, lost }: Difference) {
  if (gained.length === 0 && lost.length === 0)
    return <p className={css.nothing}>Nothing is gained or lost.</p>;
  return (
    <dl className={css.changes}>
      <Side name="Gained" permissions={gained} />
      <Side name="Lost" permissions={lost} />
    </dl>
  );
}

function Side({ name, permissions }: { name: 'Gained' | 'Lost'; permissions: readonly string[] }) {
  if (permissions.length === 0) return null;
  return (
    <div data-lost={name === 'Lost' || undefined}>
      <dt>{name}</dt>
      <dd>{namePermissions(permissions)}</dd>
    </div>
  );
}
