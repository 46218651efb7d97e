// Domains whose addresses a connection may assert (behaviour K5 to K8).
import { randomBytes } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { Granted } from '../../../../access/index.ts';
import { type Actor, changesBetween, recordAction, systemActor } from '../../../../audit/index.ts';
import { invalidRequest, ServiceError, tooMany } from '../../../../base/errors.ts';
import { requireMatch } from '../../../../base/http/entity-tag.ts';
import { serializer } from '../../../../base/http/serialization.ts';
import { created, type IdempotentRequest, ok } from '../../../../base/idempotency/index.ts';
import { formatId } from '../../../../base/ids.ts';
import { createFairQueue } from '../../../../base/limits/index.ts';
import { mails } from '../../../../base/mail/index.ts';
import type { Transaction } from '../../../../base/postgres/database.ts';
import type { ScheduledTask } from '../../../../base/postgres/scheduled-tasks.ts';
import { readClock } from '../../../../base/postgres/sql/clock.ts';
import { changeLocked, changeOnce } from '../../../agreements.ts';
import type { Options } from '../../../options.ts';
import { selectOwnerEmails } from '../../../store.ts';
import { type ConnectionRow, raiseRevision } from '../store.ts';
import { createLookUpProofs, type Answer as DnsAnswer, recordName } from './dns.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

const maxDomains = 20;
/** In one run of the task. They are looked up at the same time, so a run takes seconds. */
const maxChecked = 20;
const dayMs = 86_400_000;
/** How long a domain whose record is missing stays with its partner. */
const graceMs = 7 * dayMs;
const name = 'check domains';
const checking = systemActor(name);

type GrantedDomain = Granted<store.DomainRow>;
export type Domains = ReturnType<typeof createDomains>;

export function createDomains(options: Options) {
  const { db } = options;
  const lookUp = createLookUpProofs(options.dnsServers);
  const toJson = serializer(wire.Domain);
  const queue = createFairQueue({
    name: 'domains',
    concurrency: 8,
    concurrencyPerGroup: 1,
    what: 'checks of domains of a partner',
  });

  return {
    task: createChecking(options),

    add(granted: Granted<ConnectionRow>, text: string, key: IdempotentRequest) {
      const domain = readDomain(text);
      return changeOnce(db, granted, key, async (tx, locked) => {
        const { partner_id, connection_id } = locked.row;
        if ((await store.domainsOf(tx, connection_id).count()).count >= maxDomains)
          throw tooMany(`A connection can have at most ${maxDomains} domains. Delete one first.`);
        const proof = `concord-domain=${randomBytes(16).toString('base64url')}`;
        const row = await store.insertDomain(tx, { partner_id, connection_id, domain, proof });
        if (!row)
          throw invalidRequest('/domain', 'must not be a domain that a connection of the partner has');
        await record(tx, locked.actor, 'create', row);
        const within = `/partners/${formatId('partner', partner_id)}/connections/${formatId('identity_connection', connection_id)}`;
        const added = store.toDomain(row);
        return created(`${within}/domains/${added.id}`, toJson(added));
      });
    },

    /** Asks the DNS, before any lock is taken. @throws ServiceError domain_taken */
    async verify(granted: GrantedDomain, key: IdempotentRequest, ifMatch: string | undefined) {
      const { askedAt, answer } = await queue.run(granted.partnerId, async () => ({
        askedAt: await readClock(db),
        answer: await lookUp(granted.row.domain),
      }));
      return changeOnce(db, granted, key, async (tx, { row, actor }) => {
        requireMatch(ifMatch, toJson(store.toDomain(row)));
        const { verified_at, lost_at, domain_id: id } = row;
        if (answer === 'failed' || !answer.values.includes(row.proof)) {
          const last_check = answer === 'failed' ? 'failed' : 'missing';
          // Only the daily check finds that a record is lost: this answer may be older than that of the check.
          const undecided = { verified_at, lost_at, checked_at: verified_at ? row.checked_at : askedAt };
          return ok(toJson(store.toDomain(await store.setCheck(tx, id, { last_check, ...undecided }))));
        }
        if (verified_at === null) {
          await store.lockName(tx, row.domain);
          const other = await store.lockOtherOwner(tx, row.domain);
          // Two partners can verify it at once, while its record changes: the later answer of the DNS decides.
          // A later check that missed the other's record does not keep it.
          const isOld =
            other?.checked_at != null && other.last_check !== 'missing' && other.checked_at > askedAt;
          if (other && (isOld || answer.values.includes(other.proof))) throw new ServiceError('domain_taken');
          if (other) await release(tx, options, other, askedAt);
        }
        const verified = await store.setCheck(tx, id, {
          last_check: 'found',
          verified_at: verified_at ?? (await readClock(tx)),
          lost_at: null,
          checked_at: askedAt,
        });
        if (verified_at === null) await record(tx, actor, 'verify', row);
        return ok(toJson(store.toDomain(verified)));
      });
    },

    delete: (granted: GrantedDomain, ifMatch: string | undefined) =>
      changeLocked(db, granted, async (tx, { row, actor }) => {
        requireMatch(ifMatch, toJson(store.toDomain(row)));
        await store.deleteDomain(tx, row.domain_id);
        await raiseRevision(tx, row.connection_id);
        await record(tx, actor, 'delete', row);
      }),
  };
}

/** The daily check of verified domains (K7). */
function createChecking(options: Options): ScheduledTask {
  const lookUp = createLookUpProofs(options.dnsServers);
  return {
    name,
    intervalMs: 10 * 60_000,
    async run(tx) {
      const due = await store.selectDue(tx, maxChecked);
      const askedAt = await readClock(tx);
      const asked = await Promise.all(
        due.map(async ({ id, domain }) => ({ id, answer: await lookUp(domain) })),
      );
      // One by one, after the DNS: owners must not wait for it, and nobody locks connections in another order.
      for (const { id, answer } of asked)
        await options.db.transaction(async (one) => {
          const owned = await store.lockDue(one, id);
          if (owned) await recheck(one, options, owned, answer, askedAt);
        });
      return due.length === maxChecked;
    },
  };
}

async function tell(
  tx: Transaction,
  { enqueueMail, baseUrl }: Options,
  { partner_id, partner_name, domain }: store.OwnedDomain,
  what: 'lost' | 'gone',
) {
  const page = `${baseUrl}/console/p/${formatId('partner', partner_id)}/single-sign-on`;
  const record = recordName(domain);
  for (const to of await selectOwnerEmails(tx, partner_id))
    await enqueueMail(tx, mails.domainLost(to, { partner: partner_name, domain, record, what, page }));
}

/** Another partner proved the domain, or nobody proves it any more. The log does not tell whose people did it. */
async function release(tx: Transaction, options: Options, owned: store.OwnedDomain, checked_at: Date) {
  const missing = { last_check: 'missing', verified_at: null, lost_at: null, checked_at } as const;
  await store.setCheck(tx, owned.domain_id, missing);
  await raiseRevision(tx, owned.connection_id);
  await record(tx, checking, 'release', owned);
  await tell(tx, options, owned, 'gone');
}

/** What a check says about a domain that was verified. `checked_at`: when the DNS was asked. */
async function recheck(
  tx: Transaction,
  options: Options,
  owned: store.OwnedDomain,
  answer: DnsAnswer,
  checked_at: Date,
) {
  const { domain_id: id, verified_at, lost_at } = owned;
  const check = { verified_at, lost_at, checked_at };
  if (answer === 'failed') await store.setCheck(tx, id, { ...check, last_check: 'failed' });
  else if (answer.values.includes(owned.proof))
    await store.setCheck(tx, id, { ...check, last_check: 'found', lost_at: null });
  else if (lost_at !== null && checked_at.getTime() - lost_at.getTime() >= graceMs)
    await release(tx, options, owned, checked_at);
  else {
    await store.setCheck(tx, id, { ...check, last_check: 'missing', lost_at: lost_at ?? checked_at });
    if (lost_at !== null) return;
    await record(tx, checking, 'lose', owned);
    await tell(tx, options, owned, 'lost');
  }
}

async function record(
  tx: Transaction,
  actor: Actor,
  action: 'create' | 'verify' | 'lose' | 'release' | 'delete',
  row: store.DomainRow,
) {
  const { domain, partner_id: partnerId, domain_id } = row;
  const shown = { domain, connection: formatId('identity_connection', row.connection_id) };
  await recordAction(tx, {
    actor,
    partnerId,
    action: `domain.${action}`,
    target: formatId('identity_domain', domain_id),
    targetName: domain,
    ...(action === 'create' && { changes: changesBetween(null, shown) }),
    ...(action === 'delete' && { changes: changesBetween(shown, null) }),
  });
}

/** The form in which addresses are compared. @throws ServiceError invalid_request */
function readDomain(text: string) {
  // The parser of hosts stops at these.
  const host = /[\s/?#@:\\%[\]]/.test(text) ? '' : text.replace(/\.$/, '');
  const domain = domainToASCII(host).toLowerCase();
  const isName =
    /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(domain);
  if (!isName) throw invalidRequest('/domain', 'must be a domain name, such as nordlys.example');
  return domain;
}
