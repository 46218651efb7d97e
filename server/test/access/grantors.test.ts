// Who can give a permission, compared with what the service lets them do.
import { beforeEach, expect, it } from 'vitest';
import {
  acl,
  expectCode,
  expectStatus,
  hasEnded,
  type Member,
  may,
  succeed,
  useCast,
  uuidOf,
} from '../stage/cast.ts';
import { inForm } from '../stage/form.ts';
import { createRandom, seed } from '../stage/random.ts';

let partner: string;
let owner: Member;
const { service, cast } = useCast();

beforeEach(async () => {
  partner = await cast.partner();
  owner = await cast.member(partner, { owner: true }, { name: 'Olga Owner' });
});

const path = (rest = '') => `/partners/${partner}${rest}`;
const ask = (permission: string, token = owner.token) =>
  service.get(path(`/grantors?permission=${permission}`), token);
const idsOf = (grantors: { agreement_id: string }[]) => grantors.map(({ agreement_id }) => agreement_id);
const listed = async (permission: string) => idsOf(succeed(await ask(permission)));
const send = (method: string, url: string, body: object, token = service.operatorToken) =>
  service.request(method, url, { token, body });

async function setDefaultGroup(acl_permissions: object[]) {
  const acl_permission_group_id = await cast.group(partner, acl_permissions);
  succeed(await send('PUT', path('/acl-permission-groups/default'), { acl_permission_group_id }));
}

it('A19: a member learns whom to ask; e-mail addresses are for callers with agreements.query', async () => {
  const asker = await cast.member(partner, {}, { name: 'Ann Lee' });
  const grants = [acl('agreements', 'patch'), acl('deliveries', 'query')];
  const giver = await cast.member(partner, { acl_permissions: grants }, { name: 'Gus Giver' });
  await cast.member(partner, may('agreements', 'patch'));
  await cast.member(partner, may('deliveries', 'query'));

  const refused = await service.get(path('/deliveries'), asker.token);
  const [, missing = ''] = /permission ([a-z_.]+)\.$/.exec(refused.body.message) ?? [];
  const seen = [
    { name: 'Olga Owner', owner: true, email: owner.email, agreement_id: owner.agreement },
    { name: 'Gus Giver', owner: false, email: giver.email, agreement_id: giver.agreement },
  ];
  const hidden = seen.map((grantor) => ({ ...grantor, email: null, agreement_id: null }));
  expect(succeed(await ask(missing, asker.token))).toEqual(hidden);
  expect(succeed(await ask('deliveries.query', service.operatorToken))).toEqual(seen);
  const reader = await cast.member(partner, may('agreements', 'query'));
  expect(succeed(await ask('deliveries.query', reader.token))).toEqual(seen);

  const program = (...scopes: object[]) => cast.accessToken(owner, scopes);
  expect(succeed(await ask('deliveries.query', await program(acl('agreements', 'query'))))).toEqual(seen);
  expect(succeed(await ask('deliveries.query', await program(acl('agreements', 'get'))))).toEqual(hidden);
  await expectCode('forbidden', ask('deliveries.query', await program(acl('deliveries'))));
  for (const wrong of [
    '',
    'deliveries',
    'deliveries.read',
    '*.get',
    'deliveries.query,events.get',
    '__proto__',
  ])
    expect((await ask(wrong)).status, wrong).toBe(400);
  await expectStatus(400, service.get(path('/grantors'), owner.token));
});

it('A19: people who cannot act, and programs, are not listed', async () => {
  const all = may('*');
  const player = await cast.member(partner, all);
  expect(await listed('events.get')).toEqual([owner.agreement, player.agreement]);
  const banned = await cast.member(partner, all);
  succeed(await send('POST', `/users/${banned.id}/ban`, {}));
  const formerly = await cast.member(partner, all);
  succeed(await send('POST', `/users/${formerly.id}/ban`, {}));
  await service.sql(`update auth."user" set ban_expires = '2020-01-01' where id = $1`, [formerly.id]);
  await cast.member(partner, { ...all, ...hasEnded });
  const { id } = succeed(await cast.invite(partner, 'pending@concord.test'));
  succeed(await cast.change(partner, id, all));
  const robot = succeed(await send('POST', path('/service-accounts'), { name: 'robot' }));
  succeed(await cast.change(partner, robot.agreement_id, all));
  expect(await listed('events.get')).toEqual([owner.agreement, player.agreement, formerly.agreement]);
});

it('A19: lists owners first, 100 at most, however many members there are', async () => {
  await service.sql(
    `with person as (
       insert into auth."user" (id, name, email, email_verified, role)
       select 'usr_' || lpad(n::text, 26, '0'), 'Player', n || '@grantors.test', true, 'user' from generate_series(1, 1101) n
       returning id, email)
     insert into agreement (id, partner_id, email, email_key, user_id, owner, acl_permissions)
     select gen_random_uuid(), $1, email, email, id, false, case when right(id, 4)::int > 1000 then $2::jsonb else '[]' end from person`,
    [uuidOf(partner), JSON.stringify([acl('*')])],
  );
  const second = await cast.owner(partner);
  const grantors = succeed(await ask('events.get'));
  expect(idsOf(grantors.slice(0, 2))).toEqual([owner.agreement, second.agreement]);
  expect(grantors).toHaveLength(100);
  expect(new Set(idsOf(grantors)).size).toBe(100);
});

it('A19: lists exactly those who can give the permission', async () => {
  const { pick, chance } = createRandom(seed);
  const target = (await cast.member(partner)).agreement;
  const targetId = uuidOf(target);
  const asked = ['deliveries.query', 'events.post', 'agreements.patch'];
  const may = (chances: number, ...permission: [string, string]) =>
    chance(chances) ? [acl(...permission)] : [];
  const some = () => [
    ...may(0.6, 'agreements', 'post'),
    ...may(0.4, 'agreements', 'patch'),
    ...may(0.6, 'deliveries', 'query'),
    ...may(0.6, 'events', 'post'),
    ...may(0.1, '*', 'post'),
  ];
  const merged = () => [...new Map(some().map((each) => [each.resource, each])).values()];
  const end = '2990-01-01T00:00:00.000Z';
  const people = [{ ...owner, end: null as string | null }];
  for (let i = 0; i < 8; i++) {
    const kind = pick(['plain', 'plain', 'ending', 'bound', 'operator', 'ending owner']);
    const terms = {
      acl_permissions: merged(),
      ...(kind.includes('ending') && { expires_at: end }),
      ...(kind === 'bound' && { mfa_required: true }),
      ...(kind === 'ending owner' && { owner: true }),
    };
    const member = await cast.member(partner, terms, {
      secondFactor: kind === 'bound' ? 'proven' : 'not_enabled',
    });
    const token = kind === 'operator' ? await cast.appoint(member) : member.token;
    people.push({ ...member, token, end: kind.includes('ending') ? end : null });
  }

  /** Gives the permission to a member, on terms as strict as the giver's own. */
  async function givesByUpdate({ token, end }: (typeof people)[number], permission: object) {
    const body = { acl_permissions: [permission], mfa_required: true, ...(end && { expires_at: end }) };
    const { status } = await cast.change(partner, target, body, token);
    await service.sql(
      `update agreement set acl_permissions = '[]', mfa_required = false, expires_at = null where id = $1`,
      [targetId],
    );
    return status === 200;
  }
  async function givesByInvitation({ token }: (typeof people)[number], name: string) {
    const { status, body } = await cast.invite(partner, 'new@concord.test', {}, token);
    if (status !== 201) return false;
    const granted = (body.acl_permission_groups as { acl_permissions: Record<string, unknown>[] }[]).flatMap(
      (group) => group.acl_permissions,
    );
    await service.sql(`delete from agreement where email_key = 'new@concord.test'`);
    const [resource, method = ''] = name.split('.');
    return granted.some(
      (each) => (each.resource === resource || each.resource === '*') && each[method] === true,
    );
  }

  for (let round = 0; round < inForm({ short: 2, long: 12 }); round++) {
    if (round > 0) await setDefaultGroup(merged());
    for (const name of asked) {
      const [resource = '', method = ''] = name.split('.');
      const able: string[] = [];
      for (const person of people) {
        const given =
          (await givesByUpdate(person, acl(resource, method))) || (await givesByInvitation(person, name));
        if (given) able.push(person.agreement);
      }
      const found = (await listed(name)).toSorted();
      expect({ seed, round, name, found }).toEqual({ seed, round, name, found: able.toSorted() });
    }
  }
});
