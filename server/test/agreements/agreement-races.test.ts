// Agreements under concurrency: each race is run many times, over HTTP, against one database.

import { expect, it } from 'vitest';
import { createFairQueue } from '../../src/base/limits/index.ts';
import {
  atOnce,
  expectStatus,
  hasEnded,
  type Member,
  may,
  type Player,
  statusesOf,
  succeed,
  times,
  useCast,
  uuidOf,
} from '../stage/cast.ts';
import { inForm } from '../stage/form.ts';
import { hold, untilWaiting } from '../stage/locks.ts';

const rounds = inForm({ short: 5, long: 100 });
/** For each pair of five ways, and for races with two outcomes. */
const manyRounds = inForm({ short: 25, long: 100 });

const { service, cast } = useCast({ CONCORD_LOG_LEVEL: 'error' });

const path = (partner: string, id: string) => `/partners/${partner}/agreements/${id}`;

const patch = (partner: string, id: string, token: string, body: object) =>
  service.patch(path(partner, id), body, token);
const remove = (partner: string, id: string, token: string) => service.remove(path(partner, id), token);
/** Those of the given partners with an active owner. */
const owned = async (partners: string[]) =>
  service.sql(
    `select distinct partner_id from agreement join auth."user" account on account.id = user_id
     where owner and expires_at is null and banned is not true and partner_id = any ($1)`,
    [partners.map((partner) => uuidOf(partner))],
  );

it('A2: one of twenty simultaneous creates of one e-mail address succeeds', async () => {
  const partner = await cast.partner();
  for (let round = 0; round < rounds; round++) {
    const spellings = [`Some.One${round}@concord.test`, `some.one${round}@CONCORD.test`];
    const answers = await atOnce(20, (i) => cast.invite(partner, spellings[i % 2] ?? ''));
    expect(statusesOf(answers)).toEqual([201, ...Array(19).fill(400)]);
  }
});

it('A2: one of twenty simultaneous creates that replace an expired agreement succeeds', async () => {
  const partner = await cast.partner();
  const player = await cast.member(partner, hasEnded);
  for (let round = 0; round < rounds / 4; round++) {
    const answers = await atOnce(20, () => cast.invite(partner, player.email));
    expect(statusesOf(answers)).toEqual([201, ...Array(19).fill(400)]);
    const { id } = answers.find(({ status }) => status === 201)?.body ?? {};
    succeed(await cast.change(partner, id, hasEnded));
  }
});

it('A7: one of two owners who delete each other remains', async () => {
  const partner = await cast.partner();
  let [one, two] = [await cast.owner(partner), await cast.owner(partner)];
  for (let round = 0; round < rounds; round++) {
    const answers = await Promise.all([
      remove(partner, two.agreement, one.token),
      remove(partner, one.agreement, two.token),
    ]);
    expect(statusesOf(answers)).toEqual([204, 404]);
    if (answers[0]?.status === 404) [one, two] = [two, one];
    two = await cast.owner(partner);
  }
});

it('A7: one owner remains when the last two leave, step down or are banned at once', async () => {
  const ways = [
    (partner: string, who: Member) => remove(partner, who.agreement, who.token),
    (partner: string, who: Member) => patch(partner, who.agreement, who.token, { owner: false }),
    (partner: string, who: Member) =>
      patch(partner, who.agreement, service.operatorToken, { expires_at: '2999-01-01T00:00:00Z' }),
    (_partner: string, who: Player) => service.post(`/users/${who.id}/ban`, {}),
    (_partner: string, who: Player) => service.remove(`/users/${who.id}`),
  ];
  for (let round = 0; round < manyRounds; round++) {
    const partner = await cast.partner();
    const [one, two] = [await cast.owner(partner), await cast.owner(partner)];
    const [first, second] = [ways[round % 5], ways[Math.floor(round / 5) % 5]];
    if (!first || !second) throw new Error('There are five ways');
    const answers = await Promise.all([first(partner, one), second(partner, two)]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(answers.find(({ status }) => status >= 300)?.body.code).toBe('last_owner');
  }
});

it('A7: every partner keeps an owner through 200 owner changes, forty at a time', async () => {
  const partners = await atOnce(4, () => cast.partner());
  for (const partner of partners) await cast.owner(partner);
  for (let round = 0; round < inForm({ short: 2, long: 5 }); round++) {
    const all = await Promise.all(
      partners.flatMap((partner) => times(5, async () => ({ partner, ...(await cast.owner(partner)) }))),
    );
    // Each owner gets ten changes: owners and an operator change the owner's agreement and the next owner's.
    const changes = all.flatMap(({ partner, agreement, token, id }, index) => {
      const next = all[index % 5 === 4 ? index - 4 : index + 1] ?? all[0];
      if (!next) return [];
      return [
        () => patch(partner, agreement, token, { owner: false }),
        () => patch(partner, next.agreement, token, { owner: false }),
        () => patch(partner, next.agreement, token, { expires_at: '2999-01-01T00:00:00Z' }),
        () => patch(partner, agreement, service.operatorToken, { owner: index % 2 === 0, expires_at: null }),
        () => patch(partner, next.agreement, service.operatorToken, { owner: true, expires_at: null }),
        () => remove(partner, agreement, token),
        () => remove(partner, next.agreement, token),
        () => service.post(`/users/${id}/ban`, {}),
        () => service.post(`/users/${id}/unban`),
        () => service.remove(`/users/${next.id}`),
      ];
    });
    expect(changes).toHaveLength(200);
    // The service has ten database connections. More requests at once would not race more; they would only
    // time out.
    const unlimited = { maxQueued: changes.length, maxQueuedPerGroup: changes.length, retryAfterSeconds: 1 };
    const queue = createFairQueue({ name: 'changes', concurrency: 40, ...unlimited });
    const answers = await Promise.all(
      changes.toSorted(() => Math.random() - 0.5).map((change) => queue.run('all', change)),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await owned(partners)).toHaveLength(4);
  }
});

it('I1: no grant succeeds after the answer to a revocation', async () => {
  const partner = await cast.partner();
  const target = await cast.member(partner);
  let held: object[] = [];
  for (let round = 0; round < inForm({ short: 10, long: 100 }); round++) {
    const granter = await cast.member(partner, may('*'));
    const body = may('events', ...['get', 'put', 'post', 'patch'].slice(0, (round % 4) + 1));
    const [grant] = await Promise.all([
      patch(partner, target.agreement, granter.token, body),
      patch(partner, granter.agreement, service.operatorToken, { acl_permissions: [] }),
    ]);
    expect([200, 403]).toContain(grant.status);
    // A refused grant has no effect, and every later grant is refused.
    if (grant.status === 200) held = body.acl_permissions;
    expect((await service.get(path(partner, target.agreement))).body.acl_permissions).toEqual(held);
    await expectStatus(403, patch(partner, target.agreement, granter.token, may('events')));
  }
});

it('I1: a grant in progress locks the agreement of the granter', async () => {
  const partner = await cast.partner();
  const granter = await cast.member(partner, may('*'));
  const target = await cast.member(partner);
  // Locks the target, so the grant waits in the middle of its transaction.
  const holder = await hold(service.database, 'select from agreement where user_id = $1 for update', [
    target.id,
  ]);
  const grant = patch(partner, target.agreement, granter.token, may('events'));
  const { sql } = service;
  await untilWaiting(service.database, 1, 'from agreement');
  const free = 'select from agreement where user_id = $1 for update skip locked';
  expect(await sql(free, [granter.id])).toEqual([]);
  await holder.end();
  await expectStatus(200, grant);
});

it('A1: simultaneous accept and delete leave a whole agreement or none', async () => {
  const partner = await cast.partner();
  const outcomes = new Set<string>();
  for (let round = 0; round < manyRounds; round++) {
    const player = await cast.user();
    const { id } = succeed(await cast.invite(partner, player.email, { owner: true }));
    const deletes =
      round % 2 === 0 ? remove(partner, id, service.operatorToken) : service.remove(`/users/${player.id}`);
    const [accepted, deleted] = await Promise.all([
      patch(partner, id, player.token, { accepted: true }),
      deletes,
    ]);
    outcomes.add(`${accepted.status} ${deleted.status}`);
    const left = await service.sql('select user_id from agreement where email = $1', [player.email]);
    if (round % 2 === 0) {
      // If the accept runs first, the player is the last owner, and the delete is refused.
      expect([`200 400`, `404 204`]).toContain(`${accepted.status} ${deleted.status}`);
      expect(left).toHaveLength(deleted.status === 204 ? 0 : 1);
      if (deleted.status === 400) await service.remove(`${path(partner, id)}?orphan=true`);
    } else {
      expect(['200 400', '401 204', '404 204']).toContain(`${accepted.status} ${deleted.status}`);
      if (deleted.status === 400) await service.remove(`${path(partner, id)}?orphan=true`);
    }
  }
  expect(outcomes.size).toBeGreaterThan(1);
});
