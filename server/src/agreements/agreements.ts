// The operations on agreements. Each write is one transaction that decides access again.
import { isDeepStrictEqual } from 'node:util';
import type { Granted } from '../access/index.ts';
import { inWireOrder, requireDistinct } from '../access/permissions/index.ts';
import { type Changes, changesBetween, recordAction } from '../audit/index.ts';
import { requireEmail, storedEmailKey } from '../base/email.ts';
import { forbidden, invalidRequest, ServiceError } from '../base/errors.ts';
import { requireMatch } from '../base/http/entity-tag.ts';
import { readMoment } from '../base/http/schemas.ts';
import { serializer } from '../base/http/serialization.ts';
import {
  type Answer,
  created,
  type IdempotentRequest,
  ok,
  runIdempotent,
} from '../base/idempotency/index.ts';
import { formatId } from '../base/ids.ts';
import { CommitThenRefuse, type Database, type Transaction } from '../base/postgres/database.ts';
import { allowOrphan, invitationTokens, toRefusal } from '../people/index.ts';
import {
  type Agreement,
  inheritsMfa,
  isOwnerOrOperator,
  memberTerms,
  requireHeld,
  requireMayChange,
  type Terms,
  termsOf,
} from './agreement.ts';
import {
  insertAgreementGroups,
  selectDefaultGroup,
  selectGroupsByIds,
  setAgreementGroups,
  toGroup,
} from './groups/store.ts';
import { createInvitations } from './invitations/invitations.ts';
import { selectNames } from './invitations/store.ts';
import type { Options } from './options.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

type GrantedAgreement = Granted<store.AgreementRow>;
/** `orphan`: the operator lets a partner lose its last owner. */
type Conditions = { ifMatch: string | undefined; orphan: boolean };

const toJson = serializer(wire.Agreement);

export function createAgreementOperations(options: Options) {
  const { db } = options;
  const invitations = createInvitations(options);

  /** Compares `ifMatch` before `apply`. */
  const change = <T>(
    granted: GrantedAgreement,
    { ifMatch, orphan }: Conditions,
    apply: (tx: Transaction, granted: GrantedAgreement, current: Agreement) => Promise<T>,
  ) =>
    changeLocked(db, granted, async (tx, locked) => {
      const current = store.toAgreement(locked.row);
      requireMatch(ifMatch, toJson(current));
      if (orphan && locked.because === 'operator') await allowOrphan(tx);
      return apply(tx, locked, current);
    });

  return {
    create(granted: Granted, { email, owner }: wire.CreateAgreement, key: IdempotentRequest) {
      const emailKey = requireEmail(email, '/email');
      return invitations.counted(granted, emailKey, key, () =>
        changeOnce(db, granted, key, async (tx, grantor) => {
          const { partnerId } = grantor;
          const [{ id, agreement }, names] = await Promise.all([
            insert(tx, grantor, { email, emailKey, owner: owner ?? false }),
            selectNames(tx, partnerId, grantor.principal.userId),
          ]);
          await Promise.all([
            record(tx, grantor, 'agreement.create', { userId: null, before: null, after: agreement }),
            invitations.send(tx, grantor, id, agreement, names),
          ]);
          const location = `/partners/${formatId('partner', partnerId)}/agreements/${agreement.id}`;
          return created(location, toJson(agreement));
        }),
      );
    },

    async update(granted: GrantedAgreement, body: wire.UpdateAgreement, conditions: Conditions) {
      // 403 comes before 412.
      requirePermission(granted, body);
      return change(granted, conditions, (tx, grantor, current) =>
        update(tx, grantor, current, body, conditions.orphan),
      );
    },

    /** Deletes the agreement. Callers can always leave their own agreement. */
    delete: (granted: GrantedAgreement, conditions: Conditions) =>
      change(granted, conditions, async (tx, grantor, current) => {
        const { isOwn, row } = grantor;
        if (!isOwn) requireMayChange(grantor, current, { owner: false });
        await store.deleteAgreement(tx, row.item_id);
        const deleted = { userId: row.user_id, before: current, after: null, orphan: conditions.orphan };
        await record(tx, grantor, isOwn ? 'agreement.leave' : 'agreement.delete', deleted);
      }),

    /** Sends the mail again. The invitation can be accepted for another 7 days. */
    resend: (granted: GrantedAgreement, key: IdempotentRequest, ifMatch: string | undefined) =>
      invitations.counted(granted, storedEmailKey(granted.row.email) ?? granted.row.email, key, () =>
        changeOnce(db, granted, key, async (tx, grantor) => {
          const { item_id: id, state } = grantor.row;
          const current = store.toAgreement(grantor.row);
          requireMatch(ifMatch, toJson(current));
          requireMayChange(grantor, current, { owner: false });
          requireHeld(grantor, null, termsOf(current));
          if (state !== 'pending')
            throw new ServiceError('invalid_request', {
              detail: 'The invitation can only be sent again while the agreement is pending.',
            });
          const more = await store.renewInvitation(tx, id);
          const agreement = store.toAgreement(await store.selectAgreement(tx, id));
          const resent = { userId: null, before: current, after: agreement, more };
          await record(tx, grantor, 'agreement.resend', resent);
          await invitationTokens.endToken(tx, id, 'replaced');
          const names = await selectNames(tx, grantor.partnerId, grantor.principal.userId);
          await invitations.send(tx, grantor, id, agreement, names);
          return ok(toJson(agreement));
        }),
      ),
  };
}

/** Locks the partner and decides access again before `apply`. So changes of a partner run one at a time. */
export async function changeLocked<Row, T>(
  db: Database,
  granted: Granted<Row>,
  apply: (tx: Transaction, granted: Granted<Row>) => Promise<T>,
) {
  try {
    return await db.transaction(async (tx) => apply(tx, await granted.lock(tx)));
  } catch (error) {
    throw toRefusal(error);
  }
}

/** The same for a request with an Idempotency-Key. */
export const changeOnce = <Row>(
  db: Database,
  granted: Granted<Row>,
  key: IdempotentRequest,
  apply: (tx: Transaction, granted: Granted<Row>) => Promise<Answer>,
) =>
  changeLocked(db, granted, (tx, locked) =>
    runIdempotent(tx, key, locked.principal.userId, () => apply(tx, locked)),
  );

/** Without the permission, an invited user may only accept the invitation. */
function requirePermission({ because }: GrantedAgreement, body: wire.UpdateAgreement) {
  if (because === 'own' && !isDeepStrictEqual(body, { accepted: true }))
    throw forbidden('You need the permission agreements.patch.');
}

async function update(
  tx: Transaction,
  grantor: GrantedAgreement,
  current: Agreement,
  body: wire.UpdateAgreement,
  orphan: boolean,
) {
  const { row, partnerId } = grantor;
  requirePermission(grantor, body);
  const accepted = body.accepted ? await accept(tx, grantor, current) : current;
  const before = termsOf(accepted);
  const after = await newTerms(tx, partnerId, before, body);
  if (isDeepStrictEqual(before, after)) return accepted;
  requireMayChange(grantor, current, {
    owner: before.owner !== after.owner,
    mfaLifted: before.mfa_required && !after.mfa_required,
  });
  requireHeld(grantor, before, after);
  if (!before.mfa_required && after.mfa_required && (await store.wouldLockOut(tx, row))) {
    throw new ServiceError('last_owner', {
      detail:
        'mfa_required would lock out every owner of the partner: none of them has enabled a second factor.',
    });
  }
  await store.updateTerms(tx, row.item_id, after);
  if (body.acl_permission_group_ids)
    await setAgreementGroups(tx, { id: row.item_id, partnerId }, after.groups);
  const updated = store.toAgreement(await store.selectAgreement(tx, row.item_id));
  const userId = body.accepted ? grantor.principal.userId : row.user_id;
  await record(tx, grantor, 'agreement.update', { userId, before: accepted, after: updated, orphan });
  return updated;
}

/** Inserts a pending agreement with the default group, and its rows in the log. */
async function insert(
  tx: Transaction,
  grantor: Granted,
  invited: Pick<store.NewAgreement, 'email' | 'emailKey' | 'owner'>,
) {
  const { partnerId } = grantor;
  const { owner } = invited;
  if (owner && !isOwnerOrOperator(grantor)) throw forbidden('Only owners and operators can set owner.');
  const invitation = {
    ...invited,
    partnerId,
    mfaRequired: inheritsMfa(grantor),
    invitedBy: isOwnerOrOperator(grantor) ? undefined : grantor.membership?.agreementId,
  };
  const first = await store.insertAgreement(tx, invitation);
  const group = first
    ? first.default_group && toGroup(first.default_group)
    : await selectDefaultGroup(tx, partnerId);
  const groups = group ? [group] : [];
  requireHeld(grantor, null, memberTerms({ owner, mfa_required: invitation.mfaRequired, groups }));
  const inserted = first ?? (await insertInPlace(tx, grantor, invitation));
  store.requireRoom(inserted);
  if (group) await insertAgreementGroups(tx, { id: inserted.item_id, partnerId }, groups);
  const agreement = {
    ...store.toAgreement(inserted),
    acl_permission_groups: groups,
    acl_permission_group_ids: groups.map(({ id }) => id),
  };
  return { id: inserted.item_id, agreement };
}

/**
 * Replaces one with this address that has expired, or was not accepted in time. @throws ServiceError agreement_exists
 */
async function insertInPlace(tx: Transaction, grantor: Granted, invitation: store.NewAgreement) {
  const replaced = await store.deleteReplaceable(tx, invitation);
  if (replaced === undefined) throw new ServiceError('agreement_exists');
  const inserted = await store.insertAgreement(tx, {
    ...invitation,
    mfaRequired: invitation.mfaRequired || replaced.mfa_required,
    ssoRequired: replaced.sso_required,
  });
  if (inserted === undefined) throw new ServiceError('agreement_exists');
  if (replaced.owner && !isOwnerOrOperator(grantor))
    throw forbidden('Only owners and operators can replace the expired agreement of an owner.');
  await recordReplacement(tx, grantor, replaced);
  return inserted;
}

/** Only the invited user can accept, in a session. Accepting again changes nothing. */
async function accept(tx: Transaction, grantor: GrantedAgreement, current: Agreement) {
  const { row, principal, isOwn } = grantor;
  if (!isOwn) throw forbidden('Only the invited user can accept an invitation.');
  if (principal.credential.kind !== 'session') throw forbidden('Accepting an invitation requires a session.');
  if (row.user_id !== null) return current;
  return bind(tx, grantor, row);
}

/**
 * Binds a pending agreement to the user, who is the actor unless given. The caller has locked the partner,
 * and the agreement invites the user. A user with another agreement can never accept: the invitation is deleted.
 * @throws ServiceError invitation_expired; already_member after the commit
 */
export async function bind(tx: Transaction, by: By, row: store.AgreementRow, userId = by.actor.userId) {
  if (row.lapsed || row.state === 'expired') throw new ServiceError('invitation_expired');
  const current = store.toAgreement(row);
  const replaced = await store.deleteExpired(tx, by.partnerId, userId);
  if (replaced !== undefined) await recordReplacement(tx, by, replaced);
  if (!(await store.acceptAgreement(tx, row, userId, replaced))) {
    await store.deleteAgreement(tx, row.item_id);
    await record(tx, by, 'agreement.discard', { userId: null, before: current, after: null });
    throw new CommitThenRefuse(new ServiceError('already_member'));
  }
  const accepted = store.toAgreement(await store.selectAgreement(tx, row.item_id));
  await record(tx, by, 'agreement.accept', { userId, before: current, after: accepted });
  return accepted;
}

/** Applies the body to the terms. @throws ServiceError invalid_request */
async function newTerms(
  tx: Transaction,
  partnerId: string,
  before: Terms,
  body: wire.UpdateAgreement,
): Promise<Terms> {
  if (body.acl_permissions) requireDistinct(body.acl_permissions, '/acl_permissions');
  const ids = body.acl_permission_group_ids;
  const groups = ids ? await selectGroupsByIds(tx, partnerId, ids) : before.groups;
  if (ids && groups.length < ids.length) {
    // The message must not reveal whether a group exists at another partner.
    throw invalidRequest(
      '/acl_permission_group_ids',
      'must list only groups of the partner and managed groups',
    );
  }
  const { expires_at } = { ...before, ...body };
  return {
    owner: body.owner ?? before.owner,
    mfa_required: body.mfa_required ?? before.mfa_required,
    expires_at: expires_at === null ? null : readMoment(expires_at, '/expires_at').toISOString(),
    acl_permissions: body.acl_permissions ? inWireOrder(body.acl_permissions) : before.acl_permissions,
    groups,
  };
}

/** `before` null: the agreement is new. `after` null: it is deleted. */
type Recorded = ({ before: Agreement | null; after: Agreement } | { before: Agreement; after: null }) & {
  /** Who has accepted it. Null: nobody, so it is about an address. */
  userId: string | null;
  orphan?: boolean | undefined;
  details?: object;
  /** Changes of what the representation does not show. */
  more?: Changes;
};

type By = Pick<Granted, 'actor' | 'partnerId'>;

export function record(
  tx: Transaction,
  { actor, partnerId }: By,
  action: string,
  { userId, orphan, details = {}, more = {}, ...change }: Recorded,
) {
  const { before, after } = change;
  const { id, user } = change.after ?? change.before;
  const key = storedEmailKey(user.email) ?? user.email;
  return recordAction(tx, {
    actor,
    partnerId,
    action,
    target: id,
    details: orphan ? { orphan, ...details } : details,
    changes: { ...changesBetween(before && toLogged(before), after && toLogged(after)), ...more },
    targetName: user.name,
    personal: { subject: userId ?? key, email: user.email, email_key: key },
  });
}

/** The groups are other objects, and the user is personal. */
const toLogged = ({ user: _user, acl_permission_groups: _groups, ...agreement }: Agreement) => agreement;

/** An expired agreement that a new one replaces. */
export const recordReplacement = (tx: Transaction, by: By, replaced: store.AgreementRow) =>
  record(tx, by, 'agreement.replace', {
    userId: replaced.user_id,
    before: store.toAgreement(replaced),
    after: null,
  });
