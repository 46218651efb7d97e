// What can be done with permission groups. What a group holds, every agreement that carries it gives: a change of it is a grant.
import { isDeepStrictEqual } from 'node:util';
import { recordAction } from '../audit/index.ts';
import { ServiceError } from '../errors.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { type Answer, answerOnce, type Repeatable } from '../http/idempotency.ts';
import type { ListSource } from '../http/lists.ts';

import { addedGrants, holds, inWireOrder, requireDistinct } from '../permissions/index.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import type { Granted } from './admission.ts';
import { type Giver, isOwnerOrOperator, type PermissionGroup } from './agreement.ts';
import type { CreateGroup, UpdateGroup } from './group-schema.ts';
import * as store from './group-store.ts';

const maxGroups = 1_000;

type InPartner = Granted<{ partner_id: string }>;
type GrantedGroup = Granted<store.GroupRow>;
type Content = Pick<PermissionGroup, 'name' | 'acl_permissions'>;

export type PermissionGroups = ReturnType<typeof createPermissionGroups>;

export function createPermissionGroups({ db }: { db: Database }) {
  /** A change of a custom group, with the partner locked. */
  async function change<T>(
    granted: GrantedGroup,
    ifMatch: string | undefined,
    apply: (tx: Transaction, giver: GrantedGroup, current: PermissionGroup) => Promise<T>,
  ): Promise<T> {
    return db.transaction(async (tx) => {
      const giver = await granted.lock(tx);
      const current = store.toGroup(giver.row.group);
      requireMatch(ifMatch, current);
      if (current.type === 'managed') throw new ServiceError('forbidden', { detail: 'Managed groups are read-only.' });
      return apply(tx, giver, current);
    });
  }

  return {
    get: ({ row }: GrantedGroup): PermissionGroup => store.toGroup(row.group),

    list: ({ row }: InPartner, filter: store.GroupFilter): ListSource<store.GroupSort, PermissionGroup> => ({
      page: (order, after, limit) => store.selectGroups(db, row.partner_id, filter, order, after, limit),
      count: () => store.countGroups(db, row.partner_id, filter),
    }),

    create(granted: InPartner, body: CreateGroup, repeatable: Repeatable): Promise<Answer> {
      const content = readContent(body);
      return db.transaction(async (tx) => {
        const giver = await granted.lock(tx);
        return answerOnce(tx, repeatable, giver.principal.userId, async () => {
          requireHeldByEditor(giver, [], content.acl_permissions);
          if ((await store.countGroups(tx, giver.row.partner_id, { type: 'custom' })) >= maxGroups) {
            throw new ServiceError('limit_reached', { detail: `A partner has ${maxGroups} permission groups at most.` });
          }
          const group = await store.insertGroup(tx, giver.row.partner_id, content);
          await record(tx, giver, 'acl_permission_group.create', group.id, content);
          return {
            status: 201,
            headers: { location: `/partners/${group.account_id}/acl-permission-groups/${group.id}` },
            body: group,
          };
        });
      });
    },

    update: (granted: GrantedGroup, body: UpdateGroup, ifMatch?: string): Promise<PermissionGroup> =>
      change(granted, ifMatch, async (tx, giver, current) => {
        const next = { ...current, ...readContent({ ...current, ...body }) };
        if (isDeepStrictEqual(next, current)) return current;
        const carriers = await store.selectCarriers(tx, current.id);
        requireOutside(giver, carriers);
        const widened = addedGrants(current.acl_permissions, next.acl_permissions).length > 0;
        requireHeldByEditor(giver, current.acl_permissions, next.acl_permissions);
        if (widened) await requireNotOutliving(tx, giver, current, carriers);
        await record(tx, giver, 'acl_permission_group.update', current.id, {
          from: readContent(current),
          to: readContent(next),
        });
        return store.updateGroup(tx, next);
      }),

    /** `detach`: takes it from the agreements that carry it, in place of being refused. */
    delete: (granted: GrantedGroup, detach: boolean, ifMatch?: string): Promise<void> =>
      change(granted, ifMatch, async (tx, giver, current) => {
        const carriers = await store.selectCarriers(tx, current.id);
        if (carriers.length > 0) {
          if (!detach)
            throw new ServiceError('group_in_use', {
              detail: `The permission group is in use by ${carriers.length} agreements.`,
            });
          requireOutside(giver, carriers);
          await store.detachGroup(tx, current.id);
        }
        await store.deleteGroup(tx, current.id);
        await record(tx, giver, 'acl_permission_group.delete', current.id, { detached: carriers.length });
      }),

    async getDefault({ row }: InPartner): Promise<{ acl_permission_group_id: string | null }> {
      return { acl_permission_group_id: (await store.selectDefaultGroup(db, row.partner_id))?.id ?? null };
    },

    /** Who sets it gives it to every agreement to come: they must hold it, and without an end. */
    setDefault: (granted: InPartner, id: string | null, ifMatch?: string) =>
      db.transaction(async (tx) => {
        const giver = await granted.lock(tx);
        const { partner_id: partnerId } = giver.row;
        const [group] = id === null ? [] : await store.selectGroupsByIds(tx, partnerId, [id]);
        if (id !== null && group?.type !== 'custom') {
          const message = 'names no custom group of the partner';
          const fault = { pointer: '/acl_permission_group_id', code: 'invalid_value', message } as const;
          throw new ServiceError('invalid_request', { faults: [fault] });
        }
        const current = await store.selectDefaultGroup(tx, partnerId);
        requireMatch(ifMatch, { acl_permission_group_id: current?.id ?? null });
        if (current?.id !== group?.id) {
          if (group) {
            requireHeldByEditor(giver, [], group.acl_permissions);
            requireNoEnd(giver);
          }
          await store.setDefaultGroup(tx, partnerId, group?.id ?? null);
          await record(tx, giver, 'acl_permission_group.set_default', group?.id ?? null, { from: current?.id ?? null });
        }
        return { acl_permission_group_id: group?.id ?? null };
      }),
  };
}

function readContent({ name, acl_permissions }: Content): Content {
  requireDistinct(acl_permissions, '/acl_permissions');
  return { name, acl_permissions: inWireOrder(acl_permissions) };
}

function requireHeldByEditor(giver: Giver, before: Content['acl_permissions'], after: Content['acl_permissions']): void {
  if (!holds(giver.principal, giver.membership, addedGrants(before, after))) {
    throw new ServiceError('forbidden', { detail: 'You cannot give permissions that you do not hold.' });
  }
}

/** Nobody but owners and operators edits a group that they are in, or that an owner's agreement carries. */
function requireOutside(giver: Giver, carriers: Awaited<ReturnType<typeof store.selectCarriers>>): void {
  if (isOwnerOrOperator(giver)) return;
  if (carriers.some(({ owner, user_id }) => owner || user_id === giver.principal.userId)) {
    throw new ServiceError('forbidden', { detail: 'You are in this group, or an owner is.' });
  }
}

/** No grant outlives the agreement of who gives it. */
async function requireNotOutliving(
  tx: Transaction,
  giver: Giver & InPartner,
  group: PermissionGroup,
  carriers: Awaited<ReturnType<typeof store.selectCarriers>>,
): Promise<void> {
  const own = giver.membership?.expiresAt;
  if (giver.principal.role === 'operator' || !own) return;
  const isDefault = (await store.selectDefaultGroup(tx, giver.row.partner_id))?.id === group.id;
  if (isDefault || carriers.some(({ expires_at }) => expires_at === null || expires_at > own)) requireNoEnd(giver);
}

function requireNoEnd({ principal, membership }: Giver): void {
  if (principal.role !== 'operator' && membership?.expiresAt) {
    throw new ServiceError('forbidden', { detail: 'You cannot give permissions for longer than you have them.' });
  }
}

function record(tx: Transaction, { actor, row }: InPartner, action: string, target: string | null, details: object) {
  return recordAction(tx, { actor, partnerId: row.partner_id, action, target, details });
}
