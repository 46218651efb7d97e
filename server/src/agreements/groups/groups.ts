// The operations on permission groups. Adding a permission to a group grants it to every agreement that
// carries the group.
import { isDeepStrictEqual } from 'node:util';
import type { Granted } from '../../access/index.ts';
import {
  addedGrants,
  effectOfGroup,
  heldUntilMs,
  holds,
  inWireOrder,
  permissionName,
  requireDistinct,
} from '../../access/permissions/index.ts';
import { type Changes, changesBetween, recordAction } from '../../audit/index.ts';
import { forbidden, invalidRequest, ServiceError, tooMany } from '../../base/errors.ts';
import { requireMatch } from '../../base/http/entity-tag.ts';
import { serializer } from '../../base/http/serialization.ts';
import { created, type IdempotentRequest } from '../../base/idempotency/index.ts';
import { formatId } from '../../base/ids.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import {
  type Grantor,
  isBound,
  isOwnerOrOperator,
  notHeld,
  outlives,
  type PermissionGroup,
  seesAgreements,
  toEndMs,
} from '../agreement.ts';
import { changeLocked, changeOnce } from '../agreements.ts';
import { type Member, selectCarryingMembers } from '../members/store.ts';
import type { Options } from '../options.ts';
import { AclPermissionGroup } from '../schema.ts';
import { type CreateGroup, DefaultGroup, type PreviewGroup, type UpdateGroup } from './schema.ts';
import * as store from './store.ts';

const maxGroups = 1_000;
/** Agreements in a preview. */
const maxPreviewed = 1_000;

type GrantedGroup = Granted<store.GroupRow>;
const toJson = serializer(AclPermissionGroup);
const toDefaultJson = serializer(DefaultGroup);
type Content = Pick<PermissionGroup, 'name' | 'acl_permissions'>;

export function createPermissionGroups({ db }: Options) {
  /**
   * Locks the partner, decides access again, compares `ifMatch` and refuses managed groups before `apply`.
   */
  const change = <T>(
    granted: GrantedGroup,
    ifMatch: string | undefined,
    apply: (tx: Transaction, grantor: GrantedGroup, current: PermissionGroup) => Promise<T>,
  ) =>
    changeLocked(db, granted, async (tx, grantor) => {
      const current = store.toGroup(grantor.row.group);
      requireMatch(ifMatch, toJson(current));
      requireCustom(current);
      return apply(tx, grantor, current);
    });

  return {
    create(granted: Granted, body: CreateGroup, key: IdempotentRequest) {
      const content = readContent(body);
      return changeOnce(db, granted, key, async (tx, grantor) => {
        const { partnerId } = grantor;
        requireHeldByEditor(grantor, [], content.acl_permissions);
        if ((await store.groupsOf(tx, partnerId, { type: 'custom' }).count()).count >= maxGroups)
          throw tooMany(
            `A partner can have at most ${maxGroups} custom permission groups. Delete one first.`,
          );
        const group = await store.insertGroup(tx, partnerId, content);
        await record(tx, grantor, 'create', group, changesBetween(null, group));
        return created(`/partners/${group.account_id}/acl-permission-groups/${group.id}`, toJson(group));
      });
    },

    update: (granted: GrantedGroup, body: UpdateGroup, ifMatch?: string) =>
      change(granted, ifMatch, async (tx, grantor, current) => {
        const next = { ...current, ...readContent({ ...current, ...body }) };
        if (isDeepStrictEqual(next, current)) return current;
        await requireMayUpdate(tx, grantor, {
          current,
          next,
          carriers: await store.selectCarriers(tx, grantor.row.group.id),
        });
        await record(tx, grantor, 'update', current, changesBetween(current, next));
        return store.updateGroup(tx, grantor.row.group.id, next);
      }),

    preview: (grantor: GrantedGroup, body: PreviewGroup) => preview(db, grantor, body),

    /** `detach`: removes the group from the agreements that carry it. */
    delete: (granted: GrantedGroup, detach: boolean, ifMatch?: string) =>
      change(granted, ifMatch, async (tx, grantor, current) => {
        const detached = await detachFromCarriers(tx, grantor, detach);
        await store.deleteGroup(tx, grantor.row.group.id);
        const changes = changesBetween(current, null);
        await record(tx, grantor, 'delete', current, changes, { detached });
      }),

    getDefault: async ({ partnerId }: Granted) => defaultOf(await store.selectDefaultGroup(db, partnerId)),

    setDefault: (granted: Granted, id: string | null, ifMatch?: string) =>
      changeLocked(db, granted, async (tx, grantor) => {
        const { partnerId } = grantor;
        const group = id === null ? undefined : await requireDefault(tx, partnerId, id);
        const current = await store.selectDefaultGroup(tx, partnerId);
        requireMatch(ifMatch, toDefaultJson(defaultOf(current)));
        if (current?.id !== group?.id) {
          if (group) requireMayBeDefault(grantor, group);
          await store.setDefaultGroup(tx, partnerId, group?.id ?? null);
          const changes = changesBetween(defaultOf(current), defaultOf(group));
          await record(tx, grantor, 'set_default', group ?? null, changes);
        }
        return defaultOf(group);
      }),
  };
}

/** What an update of the permissions would do. It refuses what the update refuses. */
async function preview(db: Queryable, grantor: GrantedGroup, { acl_permissions }: PreviewGroup) {
  const { id } = grantor.row.group;
  const current = store.toGroup(grantor.row.group);
  requireCustom(current);
  const next = { ...current, ...readContent({ name: current.name, acl_permissions }) };
  const carriers = await store.selectCarriers(db, id);
  if (!isDeepStrictEqual(next, current)) await requireMayUpdate(db, grantor, { current, next, carriers });
  const members = await selectCarryingMembers(db, id, maxPreviewed);
  const toPreviewed = previewing(grantor, next);
  return { total: carriers.length, agreements: members.map(toPreviewed) };
}

function previewing(grantor: GrantedGroup, next: PermissionGroup) {
  const effectOn = effectOfGroup(grantor.row.group.id, next.acl_permissions);
  const shown = seesAgreements(grantor);
  return ({ membership, email, user, state }: Member) => {
    // A pending or expired agreement grants nothing, before or after.
    const { gained, lost } = state === 'active' ? effectOn(membership) : { gained: [], lost: [] };
    return {
      agreement_id: shown ? formatId('agreement', membership.agreementId) : null,
      email: shown ? email : null,
      name: shown ? (user?.name ?? null) : null,
      owner: membership.owner,
      state,
      gained: gained.map(permissionName),
      lost: lost.map(permissionName),
    };
  };
}

const defaultOf = (group: PermissionGroup | undefined) => ({ acl_permission_group_id: group?.id ?? null });

/**
 * From agreements, and from the terms of new members. Returns how many agreements carried the group.
 * @throws ServiceError group_in_use unless `detach`
 */
async function detachFromCarriers(tx: Transaction, grantor: GrantedGroup, detach: boolean) {
  const { id } = grantor.row.group;
  const carriers = await store.selectCarriers(tx, id);
  const isInTerms = await store.isInTerms(tx, id);
  if (carriers.length === 0 && !isInTerms) return 0;
  if (!detach)
    throw new ServiceError('group_in_use', {
      detail: `The number of agreements with this permission group is ${carriers.length}${isInTerms ? ', and new members of an identity connection get it' : ''}. ?detach=true removes it from them.`,
    });
  requireMayEdit(grantor, carriers);
  await store.detachGroup(tx, id);
  return carriers.length;
}

async function requireDefault(tx: Transaction, partnerId: string, id: string) {
  const [group] = await store.selectGroupsByIds(tx, partnerId, [id]);
  if (group?.type === 'custom') return group;
  throw invalidRequest('/acl_permission_group_id', 'must be null or the id of a custom group of the partner');
}

/**
 * New agreements will carry the group, so the grantor must hold its permissions on terms that are no
 * stricter.
 */
function requireMayBeDefault(grantor: Grantor, { acl_permissions }: PermissionGroup) {
  requireHeldByEditor(grantor, [], acl_permissions);
  const heldMs = heldUntilMs(grantor.principal, grantor.membership, addedGrants([], acl_permissions));
  if (heldMs < toEndMs(null)) throw forbidden(outlives(heldMs));
  if (acl_permissions.length > 0) requireNotBound(grantor);
}

function readContent({ name, acl_permissions }: Content): Content {
  requireDistinct(acl_permissions, '/acl_permissions');
  return { name, acl_permissions: inWireOrder(acl_permissions) };
}

function requireHeldByEditor(
  grantor: Grantor,
  before: Content['acl_permissions'],
  after: Content['acl_permissions'],
) {
  if (!holds(grantor.principal, grantor.membership, addedGrants(before, after))) throw forbidden(notHeld);
}

function requireCustom({ type }: PermissionGroup) {
  if (type === 'managed') throw forbidden('Managed groups cannot be changed. Create a custom group instead.');
}

type Update = { current: PermissionGroup; next: PermissionGroup; carriers: readonly store.Carrier[] };

/** @throws ServiceError forbidden */
async function requireMayUpdate(on: Queryable, grantor: GrantedGroup, { current, next, carriers }: Update) {
  requireMayEdit(grantor, carriers);
  requireHeldByEditor(grantor, current.acl_permissions, next.acl_permissions);
  const added = addedGrants(current.acl_permissions, next.acl_permissions);
  if (added.length === 0) return;
  // No grant may last longer than its grantor holds it, or need no second factor when the grantor needs one.
  const heldMs = heldUntilMs(grantor.principal, grantor.membership, added);
  const ofNew =
    (await store.selectDefaultGroup(on, grantor.partnerId))?.id === current.id ||
    (await store.isInTerms(on, grantor.row.group.id));
  const endMs = Math.max(
    ...(ofNew ? [toEndMs(null)] : []),
    ...carriers.map(({ expires_at }) => toEndMs(expires_at)),
  );
  if (endMs > heldMs) throw forbidden(outlives(heldMs));
  if (ofNew || carriers.some(({ mfa_required }) => !mfa_required)) requireNotBound(grantor);
}

/** Only owners and operators may change a group that their own agreement carries, or that of an owner. */
function requireMayEdit(grantor: Grantor, carriers: readonly store.Carrier[]) {
  if (isOwnerOrOperator(grantor)) return;
  if (carriers.some(({ owner, user_id }) => owner || user_id === grantor.principal.userId))
    throw forbidden(
      'Only owners and operators can change a group that your own agreement, or that of an owner, carries.',
    );
}

function requireNotBound(grantor: Grantor) {
  if (isBound(grantor))
    throw forbidden(
      'Your own agreement requires a second factor, so you cannot grant permissions to agreements that do not require one.',
    );
}

function record(
  tx: Transaction,
  { actor, partnerId }: Granted,
  verb: string,
  group: Pick<PermissionGroup, 'id' | 'name'> | null,
  changes: Changes,
  details: object = {},
) {
  return recordAction(tx, {
    actor,
    partnerId,
    action: `acl_permission_group.${verb}`,
    target: group?.id ?? null,
    changes,
    details,
    targetName: group?.name ?? null,
  });
}
