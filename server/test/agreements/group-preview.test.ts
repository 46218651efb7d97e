// The preview of a change of a permission group, compared with what the change does.

import { beforeEach, expect, it } from 'vitest';
import { methods, resources } from '../access/access-model.ts';
import { acl, expectStatus, hasEnded, type Member, may, succeed, useCast, uuidOf } from '../stage/cast.ts';
import { inForm } from '../stage/form.ts';
import { createRandom, type Random, seed } from '../stage/random.ts';

let partner: string;
let owner: Member;
const { service, cast } = useCast();

beforeEach(async () => {
  partner = await cast.partner();
  owner = await cast.member(partner, { owner: true }, { name: 'Olga Owner' });
});

const path = (id = '') => `/partners/${partner}/acl-permission-groups${id && `/${id}`}`;
const make = async (acl_permissions: object[] = [], name = `group ${Math.random()}`): Promise<string> =>
  succeed(await service.post(path(), { name, acl_permissions })).id;
const preview = (id: string, acl_permissions: unknown, token = owner.token) =>
  service.post(`${path(id)}/preview`, { acl_permissions }, token);
const update = (id: string, acl_permissions: unknown, token = owner.token) =>
  service.patch(path(id), { acl_permissions }, token);

type Effect = { agreement_id: string; gained: string[]; lost: string[] };
type Explained = { resource: string; method: string; allowed: boolean };

async function allowedBy(agreement: string) {
  const url = `/partners/${partner}/agreements/${agreement}/effective-permissions`;
  const explained: Explained[] = succeed(await service.get(url));
  return explained.filter(({ allowed }) => allowed).map(({ resource, method }) => `${resource}.${method}`);
}

it('A18: shows what each agreement gains and loses, and changes nothing', async () => {
  const group = await make([acl('events', 'get', 'post')]);
  const other = await make([acl('events', 'post')]);
  const carries = { acl_permission_group_ids: [group] };
  const plain = await cast.member(partner, carries, { name: 'Ann Lee' });
  const richer = await cast.member(partner, {
    acl_permission_group_ids: [other, group],
    ...may('*', 'query'),
  });
  const second = await cast.member(partner, { owner: true, ...carries });
  const expired = await cast.member(partner, { ...carries, ...hasEnded });
  const pending = succeed(await cast.invite(partner, 'pending@concord.test'));
  succeed(await cast.change(partner, pending.id, carries));
  await cast.member(partner, { acl_permission_group_ids: [other] });
  const before = await service.sql('select count(*)::int as rows, max(position) from audit_log');
  const state = (await service.get(path(group))).body;

  const { body } = await preview(group, [acl('deliveries', 'get', 'query')]);
  const none = { gained: [], lost: [] };
  expect(body).toEqual({
    total: 5,
    agreements: [
      {
        agreement_id: plain.agreement,
        email: plain.email,
        name: 'Ann Lee',
        owner: false,
        state: 'active',
        gained: ['deliveries.get', 'deliveries.query'],
        lost: ['events.get', 'events.post'],
      },
      {
        agreement_id: richer.agreement,
        email: richer.email,
        name: 'Player',
        owner: false,
        state: 'active',
        gained: ['deliveries.get'],
        lost: ['events.get'],
      },
      {
        agreement_id: second.agreement,
        email: second.email,
        name: 'Player',
        owner: true,
        state: 'active',
        ...none,
      },
      {
        agreement_id: expired.agreement,
        email: expired.email,
        name: 'Player',
        owner: false,
        state: 'expired',
        ...none,
      },
      {
        agreement_id: pending.id,
        email: 'pending@concord.test',
        name: null,
        owner: false,
        state: 'pending',
        ...none,
      },
    ],
  });
  expect((await service.get(path(group))).body).toEqual(state);
  expect(await service.sql('select count(*)::int as rows, max(position) from audit_log')).toEqual(before);
  expect((await preview(await make(), [acl('*')])).body).toEqual({ total: 0, agreements: [] });
});

it('A18: names nobody to a caller without agreements.query', async () => {
  const group = await make();
  await cast.member(partner, { acl_permission_group_ids: [group] }, { name: 'Ann Lee' });
  const editor = [acl('acl_permission_groups', 'patch'), acl('events', 'get')];
  const blind = await cast.member(partner, { acl_permissions: editor });
  const sighted = await cast.member(partner, { acl_permissions: [...editor, acl('agreements', 'query')] });
  const proposal = [acl('events', 'get')];
  const seen = succeed(await preview(group, proposal, sighted.token));
  expect(seen.agreements).toMatchObject([{ name: 'Ann Lee', gained: ['events.get'] }]);
  const hidden = { agreement_id: null, email: null, name: null };
  expect(succeed(await preview(group, proposal, blind.token))).toEqual({
    ...seen,
    agreements: [{ ...seen.agreements[0], ...hidden }],
  });
  const program = await cast.accessToken(sighted, editor);
  expect(succeed(await preview(group, proposal, program)).agreements).toMatchObject([hidden]);
});

it('A18: refuses what the update refuses', async () => {
  const group = await make([acl('events', 'get')]);
  const member = await cast.member(partner, {
    acl_permission_group_ids: [group],
    ...may('*'),
  });
  const editor = await cast.member(partner, {
    acl_permissions: [acl('acl_permission_groups'), acl('events')],
  });
  const ending = await cast.member(partner, {
    ...may('*'),
    expires_at: '2990-01-01T00:00:00Z',
  });
  const bound = await cast.member(partner, { ...may('*'), mfa_required: true }, { secondFactor: 'proven' });
  const managed = succeed(await service.get(`${path()}?filter[type]=managed`))[0].id;
  const same = [acl('events', 'get')];
  for (const [caller, id, body] of [
    [member, group, []],
    [member, group, same],
    [editor, group, [acl('deliveries')]],
    [editor, group, [acl('events')]],
    [editor, group, []],
    [ending, group, [acl('events')]],
    [ending, group, []],
    [bound, group, [acl('events')]],
    [bound, group, same],
    [owner, managed, []],
    [owner, managed, [acl('*')]],
    [owner, group, [acl('events'), acl('events')]],
    [owner, group, [acl('nothing')]],
    [owner, group, null],
    [owner, 'apg_01h2xcejqtf2nbrexx3vqjhp41', []],
  ] as const) {
    const previewed = await preview(id, body, caller.token);
    const updated = await update(id, body, caller.token);
    expect([previewed.status, previewed.body.message]).toEqual([updated.status, updated.body.message]);
    await update(group, same);
  }
  const bodies = [{}, { name: 'x', acl_permissions: [] }, []];
  for (const body of bodies)
    await expectStatus(400, service.post(`${path(group)}/preview`, body, owner.token));
});

it('A18: shows at most 1,000 agreements, and their number', async () => {
  const group = await make();
  await service.sql(
    `with made as (
       insert into agreement (id, partner_id, email, email_key, owner)
       select gen_random_uuid(), $1, n || '@concord.test', n || '@concord.test', false from generate_series(1, 1001) n returning id)
     insert into agreement_group (agreement_id, partner_id, group_id, account_id, position) select id, $1, $2, $1, 1 from made`,
    [uuidOf(partner), uuidOf(group)],
  );
  const { total, agreements } = succeed(await preview(group, [acl('*')]));
  expect([total, agreements.length]).toEqual([1_001, 1_000]);
  const ids = agreements.map((agreement: { agreement_id: string }) => agreement.agreement_id);
  expect(ids).toEqual(ids.toSorted());
});

function permissions({ pick, chance }: Random): object[] {
  const named = resources.filter(() => chance(0.25));
  return named.map((resource) => acl(resource, ...(chance(0.2) ? [] : [pick(methods), pick(methods)])));
}

it('A18: a preview equals the difference that the update makes', async () => {
  const random = createRandom(seed);
  const { pick, chance } = random;
  const groups = await Promise.all([1, 2, 3].map(() => make(permissions(random))));
  const members: string[] = [];
  for (let i = 0; i < 6; i++) {
    const terms = {
      acl_permissions: permissions(random),
      acl_permission_group_ids: groups.filter(() => chance(0.6)),
    };
    const kind = pick([{}, {}, {}, { owner: true }, hasEnded, { mfa_required: true }]);
    members.push((await cast.member(partner, { ...terms, ...kind })).agreement);
  }
  let changes = 0;
  for (let round = 0; round < inForm({ short: 12, long: 200 }); round++) {
    const [group, proposal] = [pick(groups), permissions(random)];
    const effects: Effect[] = succeed(await preview(group, proposal)).agreements;
    const before = new Map<string, string[]>();
    for (const member of members) before.set(member, await allowedBy(member));
    succeed(await update(group, proposal));
    for (const member of members) {
      const [was, is] = [before.get(member)!, await allowedBy(member)];
      const effect = effects.find(({ agreement_id }) => agreement_id === member) ?? { gained: [], lost: [] };
      const real = {
        gained: is.filter((name) => !was.includes(name)),
        lost: was.filter((name) => !is.includes(name)),
      };
      expect({ seed, round, member, gained: effect.gained, lost: effect.lost }).toEqual({
        seed,
        round,
        member,
        ...real,
      });
      changes += real.gained.length + real.lost.length;
    }
  }
  expect(changes).toBeGreaterThan(0);
});
