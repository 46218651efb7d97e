// Saves a group over the version that was opened, with the question after a conflict.
import {
  type AclPermission,
  type AclPermissionGroup,
  getAclPermissionGroup,
  updateAclPermissionGroup,
  withResponse,
} from '@concord/client';
import { client } from '#api/client.ts';
import type { Answer } from '#api/read.ts';
import { type Ask, saveOpened } from '#api/save-version.ts';
import { write } from '#api/write.ts';
import { namePermissions } from '#messages/permissions.ts';
import { differenceOf } from '#ui/permissions/permission-sets.ts';

type Fields = { name: string; acl_permissions: AclPermission[] };

type Options = {
  partner: string;
  opened: Answer<AclPermissionGroup>;
  mine: Partial<Fields>;
  ask: Ask;
};

export function saveGroup({ partner, opened, mine, ask }: Options): Promise<void> {
  const path = { id: partner, group_id: opened.data.id };
  return saveOpened<Fields>({
    ...{ opened, mine, ask },
    load: () => withResponse(getAclPermissionGroup, { client, path }),
    save: (body, headers) => write(updateAclPermissionGroup, { path, body, headers }),
    show: (one) =>
      one.field === 'name'
        ? { field: 'Name', mine: String(one.mine), theirs: String(one.theirs) }
        : {
            field: 'What it grants',
            ...namesOf(one.mine as AclPermission[], one.theirs as AclPermission[]),
          },
    done: `The group ${mine.name ?? opened.data.name} is saved.`,
  });
}

/** Only what one grants and the other does not. */
function namesOf(mine: AclPermission[], theirs: AclPermission[]): { mine: string; theirs: string } {
  const { gained, lost } = differenceOf(theirs, mine);
  return { mine: namePermissions(gained), theirs: namePermissions(lost) };
}
