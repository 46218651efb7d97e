// The operations on access requests. What an approval gives is a row that the access read sees until its end.
import { isDeepStrictEqual } from 'node:util';
import type { Granted } from '../../access/index.ts';
import { heldUntilMs } from '../../access/permissions/index.ts';
import { type Actor, changesBetween, recordAction, splitChanges, systemActor } from '../../audit/index.ts';
import { storedEmailKey } from '../../base/email.ts';
import { forbidden, invalidRequest, ServiceError, tooMany } from '../../base/errors.ts';
import { requireMatch } from '../../base/http/entity-tag.ts';
import { serializer } from '../../base/http/serialization.ts';
import {
  type Answer,
  created,
  type IdempotentRequest,
  ok,
  runIdempotent,
} from '../../base/idempotency/index.ts';
import { formatId, parseId } from '../../base/ids.ts';
import { mails } from '../../base/mail/index.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import type { ScheduledTask } from '../../base/postgres/scheduled-tasks.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import type { Page } from '../../base/postgres/sql/keyset.ts';
import { tellEach } from '../../people/index.ts';
import { requireHeld } from '../agreement.ts';
import { changeLocked, changeOnce } from '../agreements.ts';
import { findPeople } from '../grantors/grantors.ts';
import { permissionNames, readPermission } from '../grantors/schema.ts';
import type { Options } from '../options.ts';
import { addedTerms, endOf, mayApprove } from './access-request.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

const maxPending = 10;
const maxADay = 20;
/** How many of those who could approve a request get a mail. */
const maxMailed = 20;
/** The transaction of one run of the task stays short. */
const maxInRun = 500;
const lapsing = 'lapse access requests';

const toJson = serializer(wire.AccessRequest);

type GrantedRequest = Granted<store.RequestRow>;
type Conditions = { key: IdempotentRequest; ifMatch: string | undefined };
type Filter = { state?: string | undefined; agreement_id?: string | undefined };

export function createAccessRequests(options: Options) {
  const { db, reachOf } = options;
  const telling = createTelling(options);

  /** Locks the request, decides access again, and records what `apply` changes. */
  const change = (
    granted: GrantedRequest,
    { key, ifMatch }: Conditions,
    verb: 'approve' | 'deny' | 'withdraw' | 'revoke',
    apply: (tx: Transaction, granted: GrantedRequest) => Promise<void>,
  ) =>
    changeLocked(db, granted, (tx, locked) => {
      const { row, principal, actor } = locked;
      return runIdempotent(tx, key, principal.userId, async () => {
        requireMatch(ifMatch, toJson(store.toRequest(row)));
        await apply(tx, locked);
        const after = await store.selectRequest(tx, row.item_id);
        await record(tx, actor, verb, row, after);
        if (principal.userId !== row.user_id && verb !== 'withdraw')
          await telling.tellAsker(tx, after, answers[verb]);
        return toAnswer(after);
      });
    });

  return {
    /** Without `agreements.query`: the caller's own. */
    list: (granted: Granted, { state, agreement_id }: Filter) => {
      const { partnerId, principal } = granted;
      // For each part of a long answer: a slow reader may lose the permission meanwhile.
      const source = async () => {
        const partners = (await reachOf(granted)).partners({ resource: 'agreements', method: 'query' });
        return store.requestsOf(db, {
          partnerId,
          state,
          ...(agreement_id !== undefined && { agreementId: parseId('agreement', agreement_id) }),
          ...(partners?.includes(partnerId) === false && { userId: principal.userId }),
        });
      };
      return {
        page: async (...page: Page<'id' | 'created_at'>) => (await source()).page(...page),
        count: async () => (await source()).count(),
      };
    },

    create: (granted: Granted, body: wire.CreateAccessRequest, key: IdempotentRequest) =>
      changeOnce(db, granted, key, (tx, asker) => ask(tx, telling, asker, body)),

    approve: (granted: GrantedRequest, conditions: Conditions) =>
      change(granted, conditions, 'approve', async (tx, approver) => {
        const { row, principal } = approver;
        requireOther(approver);
        requireState(row, 'pending');
        const endsAt = endOf(await readClock(tx), row);
        requireHeld(approver, null, addedTerms(row, endsAt));
        await store.approve(tx, row.item_id, principal.userId, endsAt);
      }),

    deny: (granted: GrantedRequest, conditions: Conditions, note: string | null) =>
      change(granted, conditions, 'deny', async (tx, by) => {
        requireOther(by);
        requireState(by.row, 'pending');
        await store.settle(tx, by.row.item_id, { state: 'denied', decidedBy: by.principal.userId, note });
      }),

    withdraw: (granted: GrantedRequest, conditions: Conditions) =>
      change(granted, conditions, 'withdraw', async (tx, { row, isOwn }) => {
        if (!isOwn) throw forbidden('Only the person who asked can withdraw a request.');
        requireState(row, 'pending');
        await store.settle(tx, row.item_id, { state: 'withdrawn' });
      }),

    revoke: (granted: GrantedRequest, conditions: Conditions) =>
      change(granted, conditions, 'revoke', async (tx, { row }) => {
        requireState(row, 'approved');
        await store.endAccess(tx, row.item_id);
      }),

    lapsing: createLapsing(telling),
  };
}

type Telling = ReturnType<typeof createTelling>;

/** The mails to those who ask, and to those who could approve. */
function createTelling({ enqueueMail, baseUrl }: Options) {
  const pageOf = ({ partner_id }: store.RequestRow) =>
    `${baseUrl}/console/p/${formatId('partner', partner_id)}/access-requests`;

  const tellAsker = (tx: Transaction, row: store.RequestRow, answer: mails.AccessAnswer) =>
    enqueueMail(tx, mails.accessAnswered(row.user_email, { ...termsOf(row), answer, page: pageOf(row) }));

  /** Tells people who could approve it. Others find it in the list. */
  async function tellGrantors(tx: Transaction, row: store.RequestRow) {
    const now = await readClock(tx);
    const people = await findPeople(tx, row.partner_id, {
      limit: maxMailed,
      grants: row.permissions.map(readPermission),
      wanted: (grantor) => grantor.principal.userId !== row.user_id && mayApprove(grantor, row, now),
    });
    const users = people.flatMap(({ user }) => user ?? []);
    const words = { ...termsOf(row), asker: row.name, page: pageOf(row) };
    await tellEach(tx, users, 'access_requested', (email, isLast) =>
      enqueueMail(tx, mails.accessRequested(email, { ...words, isLast })),
    );
  }

  return { tellAsker, tellGrantors };
}

async function ask(
  tx: Transaction,
  { tellGrantors }: Telling,
  asker: Granted,
  body: wire.CreateAccessRequest,
): Promise<Answer> {
  const { membership, partnerId, principal, actor } = asker;
  const permissions = permissionNames.filter((name) => body.permissions.includes(name));
  const agreement_ends_at = membership?.expiresAt ?? null;
  const endsAt = endOf(await readClock(tx), { ...body, agreement_ends_at });
  const heldMs = heldUntilMs(principal, membership, permissions.map(readPermission));
  if (membership === null || heldMs >= endsAt.getTime())
    throw invalidRequest('/permissions', 'must name a permission that you lack');
  const { agreementId } = membership;
  const recent = await store.selectRecent(tx, agreementId);
  const pending = recent.filter((each) => each.is_pending);
  const same = pending.find((each) => isDeepStrictEqual(each.permissions, permissions));
  if (same) return toAnswer(await store.selectRequest(tx, same.id));
  if (pending.length >= maxPending)
    throw tooMany(`An agreement can have at most ${maxPending} pending requests. Withdraw one first.`);
  if (recent.filter((each) => each.is_new).length >= maxADay)
    throw tooMany(`You can ask for access at most ${maxADay} times in 24 hours.`);
  const { userId } = principal;
  const row = await store.insertRequest(tx, { ...body, permissions, partnerId, agreementId, userId });
  await record(tx, actor, 'create', null, row);
  await tellGrantors(tx, row);
  const { json } = toAnswer(row);
  const id = formatId('access_request', row.item_id);
  return created(`/partners/${formatId('partner', partnerId)}/access-requests/${id}`, json);
}

/** A request has lapsed when its time has passed: this marks it, and tells the person. It deletes old ones. */
const createLapsing = ({ tellAsker }: Telling): ScheduledTask => ({
  name: lapsing,
  intervalMs: 10 * 60_000,
  async run(tx) {
    const lapsed = await store.lapse(tx, maxInRun);
    for (const row of lapsed) {
      const before = { ...row, state: 'pending', settled_at: null } as const;
      await record(tx, systemActor(lapsing), 'lapse', before, row);
      await tellAsker(tx, row, 'lapsed');
    }
    const hasMoreOld = await store.deleteOld(tx);
    return hasMoreOld || lapsed.length === maxInRun;
  },
});

const answers = { approve: 'approved', deny: 'denied', revoke: 'ended' } as const;

const toAnswer = (row: store.RequestRow) => ok(toJson(store.toRequest(row)));

const termsOf = ({
  partner_name: partner,
  permissions,
  reason,
  note,
  ends_at: endsAt,
}: store.RequestRow) => ({
  partner,
  permissions,
  reason,
  note,
  endsAt,
});

function requireOther({ row, principal }: GrantedRequest) {
  if (row.user_id === principal.userId) throw forbidden('Nobody answers their own request.');
}

function requireState({ state }: store.RequestRow, wanted: wire.RequestState) {
  if (state !== wanted)
    throw new ServiceError('access_request_settled', {
      detail: `The access request must be ${wanted}, and is ${state}.`,
    });
}

async function record(
  tx: Transaction,
  actor: Actor,
  verb: string,
  before: store.RequestRow | null,
  after: store.RequestRow,
) {
  const all = changesBetween(before && toLogged(before), toLogged(after));
  const { changes, personal } = splitChanges(all, ['reason', 'note']);
  const { user_id: subject, name: targetName, email } = after;
  await recordAction(tx, {
    actor,
    partnerId: after.partner_id,
    action: `access_request.${verb}`,
    target: formatId('access_request', after.item_id),
    changes,
    targetName,
    personal: { subject, email, email_key: storedEmailKey(email) ?? email, changes: personal },
  });
}

/** Names are in a table of their own, where they can be erased. */
function toLogged(row: store.RequestRow) {
  const { name: _name, email: _email, decided_by: _decidedBy, ...logged } = store.toRequest(row);
  return logged;
}
