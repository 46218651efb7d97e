// Saves a group over the version that was opened, with the question after a conflict.
import {
  type AclPermission,
  type AclPermissionGroup,
  getAclPermissionGroup,
  updateAclPermissionGroup,
  withResponse,
} from '@concord/client';
import { client } from '../../../api/client.ts';
import type { Answer } from '../../../api/read.ts';
import { saveVersion, type Version } from '../../../api/save-version.ts';
import { toast } from '../../../api/toasts.ts';
import { readAgain, write } from '../../../api/write.ts';
import { namePermissions } from '../../../messages/permissions.ts';
import { differenceOf } from '../../../ui/permissions/permission-sets.ts';

type Fields = { name: string; acl_permissions: AclPermission[] };
const fieldsOf = ({ name, acl_permissions }: AclPermissionGroup): Fields => ({ name, acl_permissions });

type Options = {
  partner: string;
  opened: Answer<AclPermissionGroup>;
  mine: Partial<Fields>;
  ask: (differences: { field: string; mine: string; theirs: string }[]) => Promise<boolean>;
};

export async function saveGroup({ partner, opened, mine, ask }: Options): Promise<void> {
  const path = { id: partner, group_id: opened.data.id };
  const base = { fields: fieldsOf(opened.data), etag: opened.etag };
  const outcome = await saveVersion<Fields>({
    base,
    mine: { ...base.fields, ...mine },
    load: async (): Promise<Version<Fields>> => {
      const { data, response } = await withResponse(getAclPermissionGroup, { client, path });
      return { fields: fieldsOf(data), etag: response.headers.get('etag') ?? '' };
    },
    save: (body, etag) =>
      write((used) => updateAclPermissionGroup({ client: used, path, body, headers: { 'if-match': etag } })),
    ask: (differences) =>
      ask(
        differences.map((one) =>
          one.field === 'name'
            ? { field: 'Name', mine: String(one.mine), theirs: String(one.theirs) }
            : {
                field: 'What it grants',
                ...namesOf(one.mine as AclPermission[], one.theirs as AclPermission[]),
              },
        ),
      ),
  });
  if (outcome === 'saved')
    toast({ tone: 'good', text: `The group ${mine.name ?? opened.data.name} is saved.` });
  else await readAgain();
}

/** Only what one grants and the other does not. */
function namesOf(mine: AclPermission[], theirs: AclPermission[]): { mine: string; theirs: string } {
  const { gained, lost } = differenceOf(theirs, mine);
  return { mine: namePermissions(gained), theirs: namePermissions(lost) };
}
