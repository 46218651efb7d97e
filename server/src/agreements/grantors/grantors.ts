// The people whom a member can ask for a permission.
import type { Granted } from '../../access/index.ts';
import { covers, holds, type Method, methodNames, type Permission } from '../../access/permissions/index.ts';
import { formatId } from '../../base/ids.ts';
import type { Database } from '../../base/postgres/database.ts';
import {
  type Grantor,
  inheritsMfa,
  mayGive,
  type PermissionGroup,
  seesAgreements,
  type Terms,
} from '../agreement.ts';
import { selectDefaultGroup } from '../groups/store.ts';
import { type Member, selectPeople } from '../members/store.ts';
import type { Grantor as GrantorOnWire } from './schema.ts';

const maxGrantors = 100;
const batchSize = 500;

export type Grantors = ReturnType<typeof createGrantors>;

export function createGrantors({ db }: { db: Database }) {
  return {
    /** Owners first, 100 at most. */
    async list(granted: Granted, permission: Permission): Promise<GrantorOnWire[]> {
      const { partnerId } = granted;
      const shown = seesAgreements(granted);
      const defaultGroup = await selectDefaultGroup(db, partnerId);
      const found: Member[] = [];
      for (let last: Member | null | undefined = null; last !== undefined && found.length < maxGrantors; ) {
        const batch: Member[] = await selectPeople(db, partnerId, last, batchSize);
        found.push(...batch.filter((member) => canGive(toGrantor(member), permission, defaultGroup)));
        last = batch.length < batchSize ? undefined : batch.at(-1);
      }
      return found.slice(0, maxGrantors).map(({ membership: { agreementId, owner }, user, email }) => ({
        name: user?.name ?? '',
        owner,
        email: shown ? email : null,
        agreement_id: shown ? formatId('agreement', agreementId) : null,
      }));
    },
  };
}

/** As the member acts in a session, with the second factor if one is required. */
const toGrantor = ({ user, membership }: Member): Grantor => ({
  principal: {
    userId: user?.id ?? '',
    role: user?.isOperator ? 'operator' : 'user',
    secondFactor: 'proven',
    credential: { kind: 'session', id: '' },
  },
  membership,
});

type Group = Pick<PermissionGroup, 'id' | 'acl_permissions'>;

/** Whether the grantor can give it to somebody by an agreement (behaviour A8, A12). */
function canGive(grantor: Grantor, permission: Permission, defaultGroup: Group | undefined): boolean {
  return (
    (mayOnAgreements(grantor, 'patch') && canGiveByUpdate(grantor, permission)) ||
    (mayOnAgreements(grantor, 'post') &&
      defaultGroup !== undefined &&
      canGiveByInvitation(grantor, permission, defaultGroup))
  );
}

const mayOnAgreements = ({ principal, membership }: Grantor, method: Method) =>
  holds(principal, membership, [{ resource: 'agreements', method }]);

/** Adds it to an agreement on terms as strict as the grantor's own. */
function canGiveByUpdate(grantor: Grantor, { resource, method }: Permission): boolean {
  const none = Object.fromEntries(methodNames.map((each) => [each, each === method])) as Record<
    Method,
    boolean
  >;
  const end = grantor.membership?.expiresAt?.toISOString() ?? null;
  const before: Terms = {
    owner: false,
    mfa_required: true,
    expires_at: end,
    acl_permissions: [],
    groups: [],
  };
  return mayGive(grantor, before, { ...before, acl_permissions: [{ resource, ...none }] });
}

/** A new agreement has nothing but the default group, and no end. */
function canGiveByInvitation(grantor: Grantor, permission: Permission, group: Group): boolean {
  if (!covers(group.acl_permissions, permission)) return false;
  const mfa_required = inheritsMfa(grantor);
  return mayGive(grantor, null, {
    owner: false,
    mfa_required,
    expires_at: null,
    acl_permissions: [],
    groups: [group],
  });
}
