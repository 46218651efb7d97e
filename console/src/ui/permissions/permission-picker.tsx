// Chooses permissions by resource and method. `Everything` also means resources that are added later.
import type { AclPermission } from '@concord/client';
import type { Method, Resource } from '#messages/permissions.ts';
import { permissionName, resources } from '#messages/permissions.ts';
import { Grid } from './grid.tsx';
import { holds, type Permissions, togglePermission } from './permission-sets.ts';
import css from './permissions.module.css';

type Props = {
  /** What they are for: "Scopes of the token". */
  label: string;
  value: Permissions;
  onChange: (value: AclPermission[]) => void;
  /** Nobody gives what they do not hold. Without it everything can be chosen. */
  mayGive?: (resource: Resource | '*', method: Method) => boolean;
};

const rows = ['*', ...resources] as const;
const isSet = (value: Permissions, resource: Resource | '*', method: Method): boolean =>
  value.some((one) => one.resource === resource && one[method]);

export function PermissionPicker({ label, value, onChange, mayGive = () => true }: Props) {
  return (
    <Grid
      label={label}
      rows={rows}
      cell={(resource, method, props) => {
        const isOwn = isSet(value, resource, method);
        const isIncluded = !isOwn && holds(value, resource, method);
        // What is there already can be taken away.
        const isFixed = isIncluded || (!isOwn && !mayGive(resource, method));
        const reason = isIncluded ? 'Included in Everything' : 'You do not hold this yourself';
        return (
          <label className={css.choice} {...(isFixed && { title: reason })}>
            <input
              {...props}
              type="checkbox"
              aria-label={`${permissionName(resource, method)}${isFixed ? `. ${reason}` : ''}`}
              aria-disabled={isFixed || undefined}
              checked={isOwn || isIncluded}
              onChange={() => !isFixed && onChange(togglePermission(value, resource, method))}
            />
          </label>
        );
      }}
    />
  );
}
