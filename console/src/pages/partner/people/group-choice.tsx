// Chooses the groups of an agreement. A group that grants more than the person holds cannot be added.
import { type AclPermissionGroup, listAclPermissionGroups } from '@concord/client';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { type PartnerAccess, useAccess } from '#app/session.ts';
import { methods } from '#messages/permissions.ts';
import { inWords } from '#messages/terms.ts';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { CheckField, FieldSet } from '#ui/form/field.tsx';
import { summarize } from '#ui/permissions/permission-sets.ts';
import { Faint } from '#ui/text/text.tsx';

const mayGive = ({ can }: PartnerAccess, { acl_permissions }: AclPermissionGroup): boolean =>
  acl_permissions.every((one) => methods.every((method) => !one[method] || can(one.resource, method)));

/** `chosen`: ids. */
type Props = {
  chosen: readonly string[];
  help?: string;
  onChange: (ids: string[]) => void;
};

export function GroupChoice({ chosen, help, onChange }: Props) {
  const partner = usePartner();
  const access = useAccess();
  const groups = useRead(listAclPermissionGroups, { path: { id: partner } });
  const set = (id: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, id] : chosen.filter((one) => one !== id));
  return (
    <FieldSet legend="Groups" help={help}>
      <Loaded query={groups} lines={4}>
        {({ data }) =>
          data.map((group) => {
            const isThere = chosen.includes(group.id);
            const isLocked = !isThere && !mayGive(access, group);
            return (
              <CheckField
                key={group.id}
                name="acl_permission_group_ids"
                value={group.id}
                label={
                  <>
                    {group.name} <Faint>{summarize(group.acl_permissions)}</Faint>
                  </>
                }
                help={
                  <>
                    {inWords(group.acl_permissions)}
                    {isLocked && '. It grants more than you hold.'}
                  </>
                }
                disabled={isLocked}
                checked={isThere}
                onChange={(event) => set(group.id, event.target.checked)}
              />
            );
          })
        }
      </Loaded>
    </FieldSet>
  );
}
