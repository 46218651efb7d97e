// What the directory of a company does to agreements: its active people have one, and get the permission groups to
// which owners mapped their groups. All in the transaction that changes the person or the group.
import { type Actor, recordAction } from '../../../../audit/index.ts';
import { domainOf, emailKey } from '../../../../base/email.ts';
import { formatId } from '../../../../base/ids.ts';
import type { Transaction } from '../../../../base/postgres/database.ts';
import { accessTokens } from '../../../../people/index.ts';
import { record } from '../../../agreements.ts';
import type { Options } from '../../../options.ts';
import * as agreements from '../../../store.ts';
import { joinByConnection, requireGrantable } from '../../connections/new-members.ts';
import { type Document, type Item, isActive } from '../protocol/document.ts';
import * as store from './store.ts';

/** The caller holds the lock on the partner. */
export type Provisioning = {
  readonly tx: Transaction;
  readonly connectionId: string;
  readonly partnerId: string;
  readonly actor: Actor;
};
type Address = { readonly email: string; readonly key: string };
/** As it is stored. */
type Person = { id: string; document: Document; emailKey: string | null; agreementId: string | null };

export type Settling = ReturnType<typeof createSettling>;

export function createSettling(options: Options) {
  /** The agreement of the address. One that the connection did not make stays as it is. */
  async function join(by: Provisioning, userId: string | null, to: Address) {
    const { tx, connectionId, actor } = by;
    const mapped = await store.selectMappedGroups(tx, userId);
    const made = await joinByConnection(tx, options, {
      connectionId,
      email: to.email,
      emailKey: to.key,
      userId: null,
      groupIds: mapped,
      by: 'provisioning',
      actor,
    });
    return made ?? findOf(by, to);
  }

  return {
    /**
     * Returns the agreement of a person from now on. `before` null: a new person. An agreement begins when they
     * become active with an address, and ends when they no longer are. @throws ServiceError membership_refused,
     * after the commit; last_owner
     */
    async settle(by: Provisioning, before: Person | null, active: boolean, to: Address | null) {
      const { id = null, agreementId = null, emailKey: key = null } = before ?? {};
      const had = before !== null && isActive(before.document) && key !== null;
      // Nothing changes for the same address, and where owners have deleted the agreement.
      if (had && active && (to?.key === key || agreementId === null)) return agreementId;
      const row = agreementId === null ? undefined : await agreements.selectAgreement(by.tx, agreementId);
      if (!active) return endAny(by, row ?? (before === null && to ? await findOf(by, to) : undefined));
      if (to === null) return had ? endAny(by, row) : acceptedIn(row);
      // The account of an accepted agreement may have another address by now.
      if (had && row?.user_id != null) return agreementId;
      // Joining can be refused, so it comes before anything ends.
      const joined = (await join(by, id, to))?.item_id ?? null;
      if (had && row && row.item_id !== joined) await endAgreement(by, row.item_id);
      return joined;
    },

    /** Whether the group may be given to these people now. Call it before any change. */
    async requireGrantable({ tx, connectionId }: Provisioning, groupId: string, userIds: readonly string[]) {
      const endsAt = await store.selectLatestEnd(tx, connectionId, userIds);
      if (endsAt === undefined) return;
      await requireGrantable(tx, options, { connectionId, groupId, endsAt });
    },
  };
}

/** Ends the agreement, and what reached only this partner. Deletes a pending one. @throws ServiceError last_owner */
export async function endAgreement({ tx, partnerId, actor, connectionId }: Provisioning, id: string) {
  const row = await agreements.selectAgreement(tx, id);
  if (row.state === 'expired') return;
  const by = { actor, partnerId };
  const details = { by: 'provisioning', connection: formatId('identity_connection', connectionId) };
  const before = agreements.toAgreement(row);
  if (row.user_id === null) {
    await agreements.deleteAgreement(tx, id);
    await record(tx, by, 'agreement.delete', { userId: null, before, after: null, details });
    return;
  }
  await store.endAgreement(tx, id);
  await store.deleteProofs(tx, partnerId, row.user_id);
  await accessTokens.deleteTokensOnlyFor(tx, row.user_id, partnerId);
  const after = agreements.toAgreement(await agreements.selectAgreement(tx, id));
  await record(tx, by, 'agreement.update', { userId: row.user_id, before, after, details });
}

/** Ends the agreement, if there is one. Returns it if it was accepted: one that was pending is gone. */
async function endAny(by: Provisioning, row: agreements.AgreementRow | undefined) {
  if (row) await endAgreement(by, row.item_id);
  return acceptedIn(row);
}

/** After a group changed, or what it is mapped to. Returns how many agreements changed. */
export async function settleGroups(
  { tx, connectionId, partnerId, actor }: Provisioning,
  userIds: readonly string[],
  groups: store.Settled,
) {
  const changed = await store.settleGroups(tx, connectionId, userIds, groups);
  const wire = (ids: readonly string[]) => ids.map((id) => formatId('permission_group', id));
  for (const { agreementId, before, after } of changed)
    await recordAction(tx, {
      actor,
      partnerId,
      action: 'agreement.update',
      target: formatId('agreement', agreementId),
      details: { by: 'provisioning', connection: formatId('identity_connection', connectionId) },
      changes: { acl_permission_group_ids: { before: wire(before), after: wire(after) } },
    });
  return changed.length;
}

const findOf = async ({ tx, partnerId }: Provisioning, { key }: Address) =>
  (await agreements.lockAgreementsOf(tx, partnerId, key, null)).at(0);

const acceptedIn = (row: agreements.AgreementRow | undefined) => (row?.user_id == null ? null : row.item_id);

/**
 * Of its addresses and its name at the directory, the first of a domain of the connection: primary ones first.
 * Without one, it is the address of `held`: a lost domain ends no access.
 */
export function chooseAddress(
  document: Document,
  domains: readonly string[],
  held: string | null,
): Address | null {
  const emails = ((document.emails ?? []) as Item[]).toSorted(
    (one, other) => Number(other.primary === true) - Number(one.primary === true),
  );
  const addresses = [...emails.map(({ value }) => String(value)), String(document.userName)].flatMap(
    (email) => {
      const key = emailKey(email);
      return key === null ? [] : { email, key };
    },
  );
  return (
    addresses.find(({ key }) => domains.includes(domainOf(key))) ??
    addresses.find(({ key }) => key === held) ??
    null
  );
}
