// What can be done with agreements: the rules between HTTP and SQL. Each write is one transaction that decides access again.
import { isDeepStrictEqual } from 'node:util';
import { allowOrphan, emailKey, type Guard, toRefusal } from '../accounts/index.ts';
import { recordAction } from '../audit/index.ts';
import { ServiceError } from '../errors.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { type Answer, answerOnce, type Repeatable } from '../http/idempotency.ts';
import type { ListSource } from '../http/lists.ts';
import { readMoment } from '../http/schemas.ts';
import { formatId } from '../ids.ts';
import { inWireOrder, requireDistinct } from '../permissions/index.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import type { Granted } from './admission.ts';
import { type Agreement, explain, isOwnerOrOperator, requireHeld, requireMayChange, type Terms, termsOf } from './agreement.ts';
import { selectDefaultGroup, selectGroupsByIds, setAgreementGroups } from './group-store.ts';
import type { InviteByMail } from './invitation-mail.ts';
import type { CreateAgreement, UpdateAgreement } from './schema.ts';
import * as store from './store.ts';

const maxAgreements = 10_000;

type InPartner = Granted<{ partner_id: string }>;
type GrantedAgreement = Granted<store.AgreementRow>;
type Options = { db: Database; invitations: Guard; invite: InviteByMail };
/** What a request says beside its body. */
type Conditions = { ifMatch?: string | undefined; orphan?: boolean };

export type Agreements = ReturnType<typeof createAgreements>;

export function createAgreements({ db, invitations, invite }: Options) {
  /** Counts an invitation of the partner, and takes it back when none was made. */
  async function counted(partnerId: string, work: () => Promise<Answer>): Promise<Answer> {
    await invitations.count(partnerId);
    let answer: Answer | undefined;
    try {
      answer = await work();
      return answer;
    } finally {
      if (answer === undefined || answer.headers['idempotent-replayed']) await invitations.giveBack(partnerId);
    }
  }

  /** One at a time for a partner: access is decided again, and `ifMatch` compared, with the partner locked. */
  async function change<T>(
    granted: GrantedAgreement,
    { ifMatch, orphan = false }: Conditions,
    apply: (tx: Transaction, granted: GrantedAgreement, current: Agreement) => Promise<T>,
  ): Promise<T> {
    try {
      return await db.transaction(async (tx) => {
        const again = await granted.lock(tx);
        const current = store.toAgreement(again.row);
        requireMatch(ifMatch, current);
        if (orphan && again.because === 'operator') await allowOrphan(tx);
        return apply(tx, again, current);
      });
    } catch (error) {
      throw toRefusal(error);
    }
  }

  return {
    get: ({ row }: GrantedAgreement): Agreement => store.toAgreement(row),

    explain: ({ row }: GrantedAgreement) => explain(store.toAgreement(row), row.state),

    list: ({ row }: InPartner, filter: store.AgreementFilter) =>
      listOf(db, store.ofPartner(row.partner_id), filter, store.toAgreement),

    create(granted: InPartner, body: CreateAgreement, repeatable: Repeatable): Promise<Answer> {
      const key = emailKey(body.email);
      if (key === null) {
        const fault = { pointer: '/email', code: 'invalid_value', message: 'is not an e-mail address' } as const;
        throw new ServiceError('invalid_request', { faults: [fault] });
      }
      const invitation = { partnerId: granted.row.partner_id, email: body.email, emailKey: key, owner: body.owner ?? false };
      return counted(invitation.partnerId, () =>
        db.transaction(async (tx) => {
          const giver = await granted.lock(tx);
          return answerOnce(tx, repeatable, giver.principal.userId, async () => {
            const agreement = await insert(tx, giver, invitation);
            await invite(tx, giver, agreement);
            const location = `/partners/${formatId('partner', invitation.partnerId)}/agreements/${agreement.id}`;
            return { status: 201, headers: { location }, body: agreement };
          });
        }),
      );
    },

    update: (granted: GrantedAgreement, body: UpdateAgreement, conditions: Conditions): Promise<Agreement> =>
      change(granted, conditions, async (tx, giver, current) => {
        const { row } = giver;
        // Without the permission one may only answer the invitation.
        if (giver.because === 'own' && !isDeepStrictEqual(body, { accepted: true })) throw new ServiceError('forbidden');
        if (body.accepted) await accept(tx, giver);
        const before = termsOf(current);
        const after = await newTerms(tx, row.partner_id, before, body);
        if (!isDeepStrictEqual(before, after)) {
          requireMayChange(giver, current, giver.isOwn, { owner: before.owner !== after.owner });
          requireHeld(giver, before, after);
          if (!before.mfa_required && after.mfa_required && (await store.wouldLockOut(tx, row))) {
            throw new ServiceError('last_owner', { detail: 'No owner would be left who can act: they have no second factor.' });
          }
          await store.updateTerms(tx, row.item_id, after);
          if (body.acl_permission_group_ids)
            await setAgreementGroups(tx, { id: row.item_id, partnerId: row.partner_id }, after.groups);
          await record(tx, giver, 'agreement.update', current, {
            ...changes(before, after),
            ...(conditions.orphan && { orphan: true }),
          });
        }
        return store.toAgreement(await store.selectAgreement(tx, row.item_id));
      }),

    /** Takes it away, or leaves it: one's own can always be left. */
    delete: (granted: GrantedAgreement, conditions: Conditions): Promise<void> =>
      change(granted, conditions, async (tx, giver, current) => {
        if (!giver.isOwn) requireMayChange(giver, current, false, { owner: false });
        await store.deleteAgreement(tx, giver.row.item_id);
        await record(
          tx,
          giver,
          giver.isOwn ? 'agreement.leave' : 'agreement.delete',
          current,
          conditions.orphan ? { orphan: true } : {},
        );
      }),

    /** Sends the mail again; the invitation can be accepted for seven days from now. */
    resend: (granted: GrantedAgreement, repeatable: Repeatable, conditions: Conditions): Promise<Answer> =>
      counted(granted.row.partner_id, () =>
        change(granted, conditions, (tx, giver, current) =>
          answerOnce(tx, repeatable, giver.principal.userId, async () => {
            requireMayChange(giver, current, giver.isOwn, { owner: false });
            requireHeld(giver, null, termsOf(current));
            if (giver.row.state !== 'pending') {
              throw new ServiceError('invalid_request', { detail: 'Only a pending agreement has an invitation.' });
            }
            await store.renewInvitation(tx, giver.row.item_id);
            const agreement = store.toAgreement(await store.selectAgreement(tx, giver.row.item_id));
            await record(tx, giver, 'agreement.resend', agreement);
            await invite(tx, giver, agreement);
            return { status: 200, headers: {}, body: agreement };
          }),
        ),
      ),

    /** The caller's own, pending and expired ones too. */
    listMine({ principal: { userId, credential } }: Granted, filter: store.AgreementFilter) {
      const partnerIds = credential.kind === 'token' ? credential.partnerIds : null;
      return listOf(db, store.ofPerson(userId, partnerIds), filter, (row) => ({
        ...store.toAgreement(row),
        partner: { id: formatId('partner', row.partner_id), name: row.partner_name },
      }));
    },
  };
}

function listOf<Item>(
  db: Database,
  whose: store.Whose,
  filter: store.AgreementFilter,
  toItem: (row: Awaited<ReturnType<typeof store.selectAgreements>>[number]) => Item,
): ListSource<store.AgreementSort, Item> {
  return {
    page: async (order, after, limit) => (await store.selectAgreements(db, whose, filter, order, after, limit)).map(toItem),
    count: () => store.countAgreements(db, whose, filter),
  };
}

/** A pending agreement with the default group, and its rows in the log. */
async function insert(tx: Transaction, giver: InPartner, invitation: store.NewAgreement): Promise<Agreement> {
  const { partnerId, owner, email } = invitation;
  if (owner && !isOwnerOrOperator(giver)) throw new ServiceError('forbidden', { detail: 'Only owners decide who owns.' });
  const group = await selectDefaultGroup(tx, partnerId);
  const groups = group ? [group] : [];
  requireHeld(giver, null, { owner, mfa_required: false, expires_at: null, acl_permissions: [], groups });
  const made = await store.insertAgreement(tx, invitation);
  if (made === undefined) throw new ServiceError('agreement_exists');
  if ((await store.countAgreements(tx, store.ofPartner(partnerId))) > maxAgreements) {
    throw new ServiceError('limit_reached', { detail: `A partner has ${maxAgreements} agreements at most.` });
  }
  if (made.replaced !== null) {
    if (made.replaced_owner && !isOwnerOrOperator(giver)) {
      throw new ServiceError('forbidden', { detail: 'The expired agreement of an owner is replaced by owners only.' });
    }
    await record(tx, giver, 'agreement.replace', { id: formatId('agreement', made.replaced) });
  }
  if (group) await setAgreementGroups(tx, { id: made.id, partnerId }, groups);
  const agreement = store.toAgreement(await store.selectAgreement(tx, made.id));
  await record(tx, giver, 'agreement.create', agreement, { owner, groups: agreement.acl_permission_group_ids }, email);
  return agreement;
}

/** By the invited person alone, signed in; once accepted it stays so. */
async function accept(tx: Transaction, giver: GrantedAgreement): Promise<void> {
  const { row, principal, isOwn } = giver;
  if (!isOwn) throw new ServiceError('forbidden', { detail: 'Only the invited person can accept.' });
  if (principal.credential.kind !== 'session') throw new ServiceError('forbidden', { detail: 'To accept takes a session.' });
  if (row.user_id !== null) return;
  if (row.lapsed || row.state === 'expired') throw new ServiceError('invitation_expired');
  const replaced = await store.deleteExpired(tx, row.partner_id, principal.userId);
  if (replaced !== undefined) await record(tx, giver, 'agreement.replace', { id: formatId('agreement', replaced) });
  if (!(await store.acceptAgreement(tx, row, principal.userId))) throw new ServiceError('agreement_exists');
  await record(tx, giver, 'agreement.accept', store.toAgreement(row));
}

/** The terms as the body changes them. @throws ServiceError invalid_request */
async function newTerms(tx: Transaction, partnerId: string, before: Terms, body: UpdateAgreement): Promise<Terms> {
  if (body.acl_permissions) requireDistinct(body.acl_permissions, '/acl_permissions');
  const ids = body.acl_permission_group_ids;
  const groups = ids ? await selectGroupsByIds(tx, partnerId, ids) : before.groups;
  if (ids && groups.length < ids.length) {
    // The same for one that is unknown and one of another partner.
    const fault = {
      pointer: '/acl_permission_group_ids',
      code: 'invalid_value',
      message: 'names a group that is not there',
    } as const;
    throw new ServiceError('invalid_request', { faults: [fault] });
  }
  return {
    owner: body.owner ?? before.owner,
    mfa_required: body.mfa_required ?? before.mfa_required,
    expires_at: body.expires_at === undefined ? before.expires_at : readEnd(body.expires_at),
    acl_permissions: body.acl_permissions ? inWireOrder(body.acl_permissions) : before.acl_permissions,
    groups,
  };
}

const readEnd = (text: string | null) => (text === null ? null : readMoment(text, '/expires_at').toISOString());

/** What the log says of a change: the members that are others now. */
function changes(before: Terms, after: Terms): object {
  const plain = ({ groups, ...terms }: Terms) => ({ ...terms, groups: groups.map(({ id }) => id) });
  const [was, is] = [plain(before), plain(after)] as Record<string, unknown>[];
  const changed = Object.keys(is ?? {}).filter((member) => !isDeepStrictEqual(was?.[member], is?.[member]));
  return Object.fromEntries(changed.map((member) => [member, { from: was?.[member], to: is?.[member] }]));
}

function record(
  tx: Transaction,
  { actor, row }: InPartner,
  action: string,
  { id }: Pick<Agreement, 'id'>,
  details: object = {},
  email?: string,
) {
  return recordAction(tx, {
    actor,
    partnerId: row.partner_id,
    action,
    target: id,
    details,
    ...(email !== undefined && { email }),
  });
}
