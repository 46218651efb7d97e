// Joining by a connection: an agreement on the terms of the connection, if the person who set them may still
// grant them.
import type { Actor } from '../../../audit/index.ts';
import { ServiceError } from '../../../base/errors.ts';
import { formatId } from '../../../base/ids.ts';
import { countUse } from '../../../base/limits/index.ts';
import { mails } from '../../../base/mail/index.ts';
import { CommitThenRefuse, type Transaction } from '../../../base/postgres/database.ts';
import {
  inheritsMfa,
  isOwnerOrOperator,
  mayGive,
  memberTerms,
  type Terms,
  toGrantor,
} from '../../agreement.ts';
import { bind, record, recordReplacement } from '../../agreements.ts';
import { insertAgreementGroups, selectGroupsByIds } from '../../groups/store.ts';
import { selectMember } from '../../members/store.ts';
import type { Options } from '../../options.ts';
import * as agreements from '../../store.ts';
import * as store from './store.ts';

/** Per agreement. */
const maxGroups = 50;

type Told = Pick<Options, 'enqueueMail' | 'baseUrl'>;

type Joining = {
  connectionId: string;
  /** The address as given, and its key. The caller has checked that the connection may speak for it. */
  email: string;
  emailKey: string;
  /** Null: the person has no account yet. The agreement stays pending. */
  userId: string | null;
  /** In addition to the groups of the connection, as bare UUIDs. */
  groupIds: readonly string[];
  /** Provisioning also makes agreements where sign-ins admit no new members. */
  by: 'sign_in' | 'provisioning';
  actor: Actor;
};

/**
 * Makes the person's agreement with the partner of the connection, or accepts the pending one that the
 * connection made. The caller has locked the partner. Null: the person has another agreement, which stays as
 * it is.
 * @throws ServiceError membership_refused, after the commit; limit_reached
 */
export async function joinByConnection(
  tx: Transaction,
  told: Told,
  joining: Joining,
): Promise<agreements.AgreementRow | null> {
  const { connectionId, emailKey, userId, actor } = joining;
  const connection = await store.lockTerms(tx, connectionId);
  const { partner_id: partnerId } = connection;
  const by = { actor, partnerId };
  const found = await agreements.lockAgreementsOf(tx, partnerId, emailKey, userId);
  const [first] = found;
  if (first?.state === 'active') return null;
  // If the first has ended, so has the other: the address can be in another one than the user.
  const replaced = first?.state === 'pending' ? [first] : found;
  if (replaced.some((each) => each.connection_id !== connectionId)) return null;
  let pending: agreements.AgreementRow | undefined = first?.state === 'pending' ? first : undefined;
  if (!pending) {
    // Access that the directory has ended does not begin again by a sign-in.
    if (
      joining.by === 'sign_in' &&
      (await store.isKeptOut(tx, connectionId, emailKey, first?.item_id ?? null))
    )
      throw new ServiceError('membership_refused', {
        detail: 'The directory of the partner gives you no access. Ask an administrator of the partner.',
      });
    const terms = await readTerms(tx, told, connection, {
      ...joining,
      mfaRequired: replaced.some(({ mfa_required }) => mfa_required),
    });
    for (const ended of replaced) {
      await agreements.deleteAgreement(tx, ended.item_id);
      await recordReplacement(tx, by, ended);
    }
    const ssoRequired = replaced.some(({ sso_required }) => sso_required);
    pending = await insert(tx, connection, terms, { ...joining, ssoRequired });
  }
  // A sign-in by the connection accepts what it made, also after the days of an invitation.
  if (userId !== null) await bind(tx, by, { ...pending, lapsed: false }, userId);
  return agreements.selectAgreement(tx, pending.item_id);
}

/** What the agreement gives. @throws ServiceError membership_refused */
async function readTerms(
  tx: Transaction,
  told: Told,
  connection: store.Connection,
  { groupIds, emailKey, by, mfaRequired }: Joining & { mfaRequired: boolean },
) {
  if (by === 'sign_in' && !connection.admits_new_members)
    throw new ServiceError('membership_refused', {
      detail:
        'You are not a member of the partner, and its identity provider admits no new members. Ask an owner for an invitation.',
    });
  const refused = (reason: string) => refuse(tx, told, connection, reason);
  const grantor = await readGrantor(tx, connection);
  if (grantor === null)
    return refused('The person who set the terms of new members is no longer an owner or operator.');
  const mapped =
    by === 'sign_in' ? await store.selectMappedGroups(tx, connection.connection_id, emailKey) : [];
  const all = new Set([...connection.group_ids, ...mapped, ...groupIds]);
  const ids = [...all].slice(0, maxGroups).map((id) => formatId('permission_group', id));
  const terms = memberTerms({
    mfa_required: connection.new_member_mfa_required || mfaRequired || inheritsMfa(grantor),
    expires_at: (await store.endAfter(tx, connection.new_member_days))?.toISOString() ?? null,
    groups: await selectGroupsByIds(tx, connection.partner_id, ids),
  });
  if (terms.groups.length < ids.length)
    return refused('A permission group of the terms of new members is gone.');
  if (!mayGive(grantor, null, terms))
    return refused(
      'The person who set the terms of new members can no longer grant them, or not for as long.',
    );
  return terms;
}

/**
 * Whether the person who answers for the connection may give the group until `endsAt` now. The caller
 * has locked the partner, and written nothing. @throws ServiceError membership_refused, after the commit
 */
export async function requireGrantable(
  tx: Transaction,
  told: Told,
  { connectionId, groupId, endsAt }: { connectionId: string; groupId: string; endsAt: Date | null },
) {
  const connection = await store.lockTerms(tx, connectionId);
  const grantor = await readGrantor(tx, connection);
  const groups = await selectGroupsByIds(tx, connection.partner_id, [formatId('permission_group', groupId)]);
  const expires_at = endsAt?.toISOString() ?? null;
  const terms = memberTerms({ mfa_required: true, expires_at, groups });
  if (grantor === null || !mayGive(grantor, null, terms))
    await refuse(tx, told, connection, 'The person who set what provisioning gives can no longer grant it.');
}

/** As the person acts in a session now. Null: no longer an owner or operator, or banned. */
async function readGrantor(tx: Transaction, { partner_id, terms_by: id }: store.Connection) {
  if (id === null) return null;
  const member = await selectMember(tx, partner_id, id);
  const isOperator = await store.isOperator(tx, id);
  if (!member && !isOperator) return null;
  const grantor = toGrantor({ id, isOperator }, member?.membership ?? null);
  return isOwnerOrOperator(grantor) ? grantor : null;
}

/** Tells the owners, at most once a day. */
async function refuse(
  tx: Transaction,
  { enqueueMail, baseUrl }: Told,
  { connection_id, partner_id, name, partner_name }: store.Connection,
  reason: string,
): Promise<never> {
  const page = `${baseUrl}/console/p/${formatId('partner', partner_id)}/single-sign-on`;
  const { total } = await countUse(tx, 'new-members-refused', connection_id, 24 * 60 * 60);
  if (total === 1)
    for (const to of await agreements.selectOwnerEmails(tx, partner_id))
      await enqueueMail(
        tx,
        mails.newMembersRefused(to, { partner: partner_name, connection: name, reason, page }),
      );
  throw new CommitThenRefuse(
    new ServiceError('membership_refused', {
      detail: `You cannot become a member of the partner. ${reason}`,
    }),
  );
}

async function insert(
  tx: Transaction,
  { partner_id: partnerId, terms_by }: store.Connection,
  { mfa_required: mfaRequired, expires_at, groups }: Terms,
  { email, emailKey, actor, connectionId, by, ssoRequired }: Joining & { ssoRequired: boolean },
) {
  const inserted = await agreements.insertAgreement(tx, {
    partnerId,
    email,
    emailKey,
    owner: false,
    mfaRequired,
    ssoRequired,
    connectionId,
    expiresAt: expires_at === null ? null : new Date(expires_at),
  });
  if (!inserted) throw new Error('The partner is locked, and has had no agreement with the address');
  agreements.requireRoom(inserted);
  const id = inserted.item_id;
  await insertAgreementGroups(tx, { id, partnerId }, groups);
  const row = await agreements.selectAgreement(tx, id);
  await record(tx, { actor, partnerId }, 'agreement.create', {
    userId: null,
    before: null,
    after: agreements.toAgreement(row),
    details: { by, connection: formatId('identity_connection', connectionId), terms_by },
  });
  return row;
}
