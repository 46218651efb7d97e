// The people whom a member can ask for a permission.
import type { Granted } from '../../access/index.ts';
import type { Permission } from '../../access/permissions/index.ts';
import { formatId } from '../../base/ids.ts';
import type { Database } from '../../base/postgres/database.ts';
import { type Grantor, seesAgreements } from '../agreement.ts';
import { selectDefaultGroup } from '../groups/store.ts';
import { type Member, selectPeople } from '../members/store.ts';
import { canGive } from './grantor.ts';
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
