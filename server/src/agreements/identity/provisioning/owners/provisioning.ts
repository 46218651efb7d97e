// What owners do about provisioning: its token, its state, and what groups of the directory give.
import { type Granted, newProvisioningToken } from '../../../../access/index.ts';
import { changesBetween, recordAction, secretChange } from '../../../../audit/index.ts';
import { invalidRequest } from '../../../../base/errors.ts';
import type { Person, PersonalData } from '../../../../base/feature.ts';
import { requireMatch } from '../../../../base/http/entity-tag.ts';
import type { ListSource } from '../../../../base/http/lists.ts';
import { scimPrefix } from '../../../../base/http/scim.ts';
import { serializer } from '../../../../base/http/serialization.ts';
import { formatId, parseId } from '../../../../base/ids.ts';
import type { Database, Transaction } from '../../../../base/postgres/database.ts';
import { memberTerms, requireHeld, toEndMs } from '../../../agreement.ts';
import { changeLocked } from '../../../agreements.ts';
import { selectGroupsByIds } from '../../../groups/store.ts';
import { endAfter, lockTerms } from '../../connections/terms/store.ts';
import { selectMemberIds } from '../resources/store.ts';
import type { Settling } from '../settling/settling.ts';
import { selectLatestEnd } from '../settling/store.ts';
import { deleteToken, selectRequests, upsertToken } from '../store.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

type Options = { db: Database; baseUrl: string; settling: Settling };
type GrantedConnection = Granted<store.ConnectionRow>;
type GrantedGroup = Granted<store.GroupRow>;

const toJson = serializer(wire.ProvisionedGroup);

const toGroup = (row: store.GroupRow): wire.ProvisionedGroup => ({
  id: formatId('provisioned_group', row.id),
  name: row.name,
  member_count: row.member_count,
  acl_permission_group_id: row.group_id === null ? null : formatId('permission_group', row.group_id),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export type ProvisioningOfOwners = ReturnType<typeof createProvisioningOfOwners>;

export function createProvisioningOfOwners({ db, baseUrl, settling }: Options) {
  return {
    async read({ row }: GrantedConnection) {
      const { users, active, without_address, groups } = await store.selectCounts(db, row.connection_id);
      const requests = await selectRequests(db, row.connection_id);
      const { token_prefix: prefix, token_created_at: createdAt, token_used_at: usedAt } = row;
      return {
        base_url: `${baseUrl}${scimPrefix}`,
        provisioning_token:
          prefix === null || createdAt === null
            ? null
            : {
                prefix,
                created_at: createdAt.toISOString(),
                last_used_at: usedAt?.toISOString() ?? null,
              },
        user_count: users,
        active_user_count: active,
        users_without_address_count: without_address,
        group_count: groups,
        requests: requests.map(({ created_at, ...each }) => ({
          created_at: created_at.toISOString(),
          ...each,
        })),
      };
    },

    /** The old one stops working at once. */
    createToken: (granted: GrantedConnection) =>
      changeLocked(db, granted, async (tx, { row, partnerId, actor }) => {
        const { token, hash, prefix } = newProvisioningToken();
        await upsertToken(tx, { connectionId: row.connection_id, partnerId }, { hash, prefix });
        const isNew = row.token_prefix === null;
        await recordAction(tx, {
          actor,
          partnerId,
          action: 'provisioning_token.create',
          target: formatId('identity_connection', row.connection_id),
          changes: secretChange('token', { before: !isNew }),
        });
        return { token, prefix };
      }),

    deleteToken: (granted: GrantedConnection): Promise<void> =>
      changeLocked(db, granted, async (tx, { row, partnerId, actor }) => {
        if (row.token_prefix === null) return;
        await deleteToken(tx, row.connection_id);
        await recordAction(tx, {
          actor,
          partnerId,
          action: 'provisioning_token.revoke',
          target: formatId('identity_connection', row.connection_id),
          changes: secretChange('token', { after: false }),
        });
      }),

    listGroups: ({ row }: GrantedConnection): ListSource<store.GroupSort, wire.ProvisionedGroup> => ({
      page: async (...page) => (await store.selectGroups(db, row.connection_id, page)).map(toGroup),
      count: () => store.countGroups(db, row.connection_id),
    }),

    getGroup: ({ row }: GrantedGroup): wire.ProvisionedGroup => toGroup(row),

    /** The members get the group, or lose it, in the same transaction. @throws ServiceError forbidden */
    map: (granted: GrantedGroup, groupId: string | null, ifMatch: string | undefined) =>
      changeLocked(db, granted, async (tx, locked) => {
        const { row, partnerId, actor, principal } = locked;
        const before = toGroup(row);
        requireMatch(ifMatch, toJson(before));
        const uuid = groupId === null ? null : parseId('permission_group', groupId);
        const members = await selectMemberIds(tx, row.id);
        if (groupId !== null) await requireMappable(tx, locked, groupId, members);
        if (uuid !== null) await store.setTermsBy(tx, row.connection_id, principal.userId);
        if (before.acl_permission_group_id === groupId) return before;
        const after = toGroup(await store.setMapping(tx, row.id, uuid));
        const by = { tx, connectionId: row.connection_id, partnerId, actor };
        const agreements = await settling.settleGroups(by, members, {
          given: uuid === null ? [] : [uuid],
          taken: row.group_id === null ? [] : [row.group_id],
        });
        await recordAction(tx, {
          actor,
          partnerId,
          action: 'provisioned_group.map',
          target: before.id,
          details: { connection: formatId('identity_connection', row.connection_id), agreements },
          changes: changesBetween(before, after),
        });
        return after;
      }),
  };
}

/** The caller gives the group to members now, and to new ones with the terms. @throws ServiceError forbidden */
async function requireMappable(
  tx: Transaction,
  locked: GrantedGroup,
  groupId: string,
  memberIds: readonly string[],
): Promise<void> {
  const { connection_id: connectionId } = locked.row;
  const { groupIds, newMemberDays: days } = await lockTerms(tx, connectionId);
  const ids = new Set([...groupIds.map((id) => formatId('permission_group', id)), groupId]);
  const groups = await selectGroupsByIds(tx, locked.partnerId, [...ids]);
  if (!groups.some(({ id }) => id === groupId))
    throw invalidRequest('/acl_permission_group_id', 'must be the id of a permission group of the partner');
  const ofMembers = await selectLatestEnd(tx, connectionId, memberIds);
  const ofNew = await endAfter(tx, days);
  const endMs = Math.max(toEndMs(ofNew), ofMembers === undefined ? 0 : toEndMs(ofMembers));
  const expires_at = Number.isFinite(endMs) ? new Date(endMs).toISOString() : null;
  requireHeld(locked, null, memberTerms({ mfa_required: true, expires_at, groups }));
}

/** What directories say of a person. */
export const provisionedData = (db: Database): PersonalData => ({
  name: 'provisioned_users',
  schema: wire.ProvisionedPerson,
  async *read({ userId, email }: Person) {
    const rows = await store.selectPerson(db, userId, email === null ? [] : [email]);
    yield rows.map(({ id, partner_id, document, created_at, updated_at }) => ({
      id: formatId('provisioned_user', id),
      partner_id: formatId('partner', partner_id),
      attributes: document,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    }));
  },
});
