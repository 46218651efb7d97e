// Saves a group over the version that was opened.
import {
  type AclPermission,
  type AclPermissionGroup,
  getAclPermissionGroup,
  updateAclPermissionGroup,
} from '@concord/client';
import { type Answer, readNow } from '#api/read.ts';
import { saveVersion } from '#api/save-version.ts';
import { write } from '#api/write.ts';
import { namePermissions } from '#messages/permissions.ts';
import { differenceOf } from '#ui/permissions/permission-sets.ts';

type Fields = { name: string; acl_permissions: AclPermission[] };

type Options = {
  partner: string;
  opened: Answer<AclPermissionGroup>;
  mine: Partial<Fields>;
};

export function saveGroup({ partner, opened, mine }: Options) {
  const path = { id: partner, group_id: opened.data.id };
  return saveVersion<Fields>({
    thing: 'this group',
    opened,
    mine,
    load: () => readNow(getAclPermissionGroup, { path }),
    save: (body, headers) => write(updateAclPermissionGroup, { path, body, headers }),
    names: { name: 'Name', acl_permissions: 'What it grants' },
    // Only what one grants and the other does not.
    show: (value, field, other) =>
      field === 'name'
        ? String(value)
        : namePermissions(differenceOf(other as AclPermission[], value as AclPermission[]).gained),
    done: `The group ${mine.name ?? opened.data.name} is saved.`,
  });
}
