// What an agreement grants, and which part of it does.
import { type Agreement, type EffectivePermission, getEffectivePermissions } from '@concord/client';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { Stack } from '#ui/layout/page.tsx';
import { type Explained, PermissionMatrix } from '#ui/permissions/permission-matrix.tsx';
import { summarize } from '#ui/permissions/permission-sets.ts';
import { Fact, Facts, Faint } from '#ui/text/text.tsx';
import { GroupLink } from '../groups/group-link.tsx';
import { nameOf } from './agreement.ts';

/** Why a permission is there or not. The name of the group is added. */
const reasons: Readonly<Record<EffectivePermission['because'], string>> = {
  owner: 'Owners may do everything.',
  direct: 'The agreement grants it directly.',
  group: 'A group grants it:',
  access_request: 'An approved access request grants it for some time.',
  pending: 'The invitation is not accepted yet, so it grants nothing.',
  expired: 'The agreement has ended, so it grants nothing.',
  not_granted: 'Neither the agreement nor one of its groups grants it.',
};

export function Access({ agreement }: { agreement: Agreement }) {
  const partner = usePartner();
  const query = useRead(getEffectivePermissions, { path: { id: partner, agreement_id: agreement.id } });
  const { acl_permission_groups: groups, acl_permissions, owner, mfa_required } = agreement;
  return (
    <Stack>
      {!owner && (
        <Facts>
          <Fact name="Groups">
            {groups.length === 0 ? (
              <Faint>None</Faint>
            ) : (
              groups.map(({ id, name }, index) => (
                <span key={id}>
                  {index > 0 && ', '}
                  <GroupLink id={id}>{name}</GroupLink>
                </span>
              ))
            )}
          </Fact>
          <Fact name="Own permissions">
            {acl_permissions.length === 0 ? <Faint>None</Faint> : summarize(acl_permissions)}
          </Fact>
        </Facts>
      )}
      <Loaded query={query} lines={7}>
        {({ data }) => (
          <PermissionMatrix
            label={`Permissions of ${nameOf(agreement)}`}
            explain={(resource, method) => {
              const found = data.find((one) => one.resource === resource && one.method === method);
              return found === undefined ? unknown : explain(found);
            }}
          />
        )}
      </Loaded>
    </Stack>
  );

  function explain({ because, allowed, acl_permission_group_id: id }: EffectivePermission): Explained {
    const group = groups.find((one) => one.id === id);
    return {
      isAllowed: allowed,
      why: (
        <>
          {reasons[because]}{' '}
          {group && (
            <>
              <GroupLink id={group.id}>{group.name}</GroupLink>.{' '}
            </>
          )}
          {allowed && mfa_required && 'It counts only in a session with a second factor.'}
        </>
      ),
    };
  }
}

const unknown: Explained = { isAllowed: false, why: reasons.not_granted };
