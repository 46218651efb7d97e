// What owners do about provisioning: its token, its state, and what groups of the directory give.
import { type Granted, newProvisioningToken } from '../../../../access/index.ts';
import { type Changes, changesBetween, recordAction, secretChange } from '../../../../audit/index.ts';
import { invalidRequest } from '../../../../base/errors.ts';
import type { Person, PersonalData } from '../../../../base/feature.ts';
import { requireMatch } from '../../../../base/http/entity-tag.ts';
import { scimPrefix } from '../../../../base/http/scim.ts';
import { serializer } from '../../../../base/http/serialization.ts';
import { formatId, parseId } from '../../../../base/ids.ts';
import type { Database, Transaction } from '../../../../base/postgres/database.ts';
import { withTextTimes } from '../../../../base/postgres/sql/rows.ts';
import { memberTerms, requireHeld, toEndMs } from '../../../agreement.ts';
import { changeLocked } from '../../../agreements.ts';
import { selectGroupsByIds } from '../../../groups/store.ts';
import type { Options } from '../../../options.ts';
import { type ConnectionRow, endAfter, lockTerms } from '../../connections/store.ts';
import { selectMemberIds } from '../resources/store.ts';
import { settleGroups } from '../settling/settling.ts';
import { selectLatestEnd } from '../settling/store.ts';
import { deleteToken, insertToken, selectRequests, selectToken } from '../store.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

type GrantedConnection = Granted<ConnectionRow>;
type GrantedGroup = Granted<store.GroupRow>;

const toJson = serializer(wire.ProvisionedGroup);

const recordToken = (
  tx: Transaction,
  { row, partnerId, actor }: GrantedConnection,
  verb: 'create' | 'revoke',
  changes: Changes,
) =>
  recordAction(tx, {
    actor,
    partnerId,
    action: `provisioning_token.${verb}`,
    target: formatId('identity_connection', row.connection_id),
    changes,
  });

export function createProvisioningOfOwners({ db, baseUrl }: Options) {
  return {
    async read({ row: { connection_id: id } }: GrantedConnection) {
      const requests = await selectRequests(db, id);
      const token = await selectToken(db, id);
      return {
        base_url: `${baseUrl}${scimPrefix}`,
        provisioning_token: token ? withTextTimes(token) : null,
        ...(await store.selectCounts(db, id)),
        requests: requests.map(withTextTimes),
      };
    },

    /** The old one stops working at once. */
    createToken: (granted: GrantedConnection) =>
      changeLocked(db, granted, async (tx, locked) => {
        const { row, partnerId } = locked;
        const { token, hash, prefix } = newProvisioningToken();
        const before = await deleteToken(tx, row.connection_id);
        await insertToken(tx, { connectionId: row.connection_id, partnerId }, { hash, prefix });
        await recordToken(tx, locked, 'create', secretChange('token', { before }));
        return { token, prefix };
      }),

    deleteToken: (granted: GrantedConnection) =>
      changeLocked(db, granted, async (tx, locked) => {
        if (await deleteToken(tx, locked.row.connection_id))
          await recordToken(tx, locked, 'revoke', secretChange('token', { after: false }));
      }),

    /** The members get the group, or lose it, in the same transaction. @throws ServiceError forbidden */
    map: (granted: GrantedGroup, groupId: string | null, ifMatch: string | undefined) =>
      changeLocked(db, granted, async (tx, locked) => {
        const { row, partnerId, actor, principal } = locked;
        const before = store.toGroup(row);
        requireMatch(ifMatch, toJson(before));
        const uuid = groupId === null ? null : parseId('permission_group', groupId);
        const members = await selectMemberIds(tx, row.id);
        if (groupId !== null) await requireMappable(tx, locked, groupId, members);
        if (uuid !== null) await store.setTermsBy(tx, row.connection_id, principal.userId);
        if (before.acl_permission_group_id === groupId) return before;
        const after = store.toGroup(await store.setMapping(tx, row.id, uuid));
        const by = { tx, connectionId: row.connection_id, partnerId, actor };
        const agreements = await settleGroups(by, members, {
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
) {
  const { connection_id: connectionId } = locked.row;
  const { group_ids, new_member_days: days } = await lockTerms(tx, connectionId);
  const ids = new Set([...group_ids.map((id) => formatId('permission_group', id)), groupId]);
  const groups = await selectGroupsByIds(tx, locked.partnerId, [...ids]);
  if (!groups.some(({ id }) => id === groupId))
    throw invalidRequest('/acl_permission_group_id', 'must be the id of a permission group of the partner');
  const ofMembers = await selectLatestEnd(tx, connectionId, memberIds);
  const ofNew = await endAfter(tx, days);
  const endMs = Math.max(toEndMs(ofNew), ofMembers === undefined ? 0 : toEndMs(ofMembers));
  const expires_at = Number.isFinite(endMs) ? new Date(endMs).toISOString() : null;
  requireHeld(locked, null, memberTerms({ mfa_required: true, expires_at, groups }));
}

export const provisionedData = (db: Database): PersonalData => ({
  name: 'provisioned_users',
  schema: wire.ProvisionedPerson,
  async *read({ userId, email }: Person) {
    const rows = await store.selectPerson(db, userId, email === null ? [] : [email]);
    yield rows.map(({ id, partner_id, document, ...times }) => ({
      id: formatId('provisioned_user', id),
      partner_id: formatId('partner', partner_id),
      attributes: document,
      ...withTextTimes(times),
    }));
  },
});
