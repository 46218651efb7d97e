// Compares generated requests with the reference model. FUZZ_REQUESTS: their number; FUZZ_SEED repeats a run.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { formatId } from '../../src/base/ids.ts';
import { acl, atOnce, hasEnded, may, type Player, times, useCast, uuidOf } from '../stage/cast.ts';
import { inForm } from '../stage/form.ts';
import { createRandom, type Random, seed } from '../stage/random.ts';
import { newEmail } from '../stage/start-service.ts';
import { brokenRule } from './access-invariants.ts';
import { type Caller, type Facts, judge, methods, type Request, resources } from './access-model.ts';

const total = Number(process.env.FUZZ_REQUESTS ?? inForm({ short: 1_500, long: 10_000 }));
const stages = inForm({ short: 4, long: 8 });

const { service, cast } = useCast({ CONCORD_LOG_LEVEL: 'error' });

type Actor = { name: string; token: string; caller: Caller };
/** Two partners and their people. Nobody acts outside their own stage, so the facts of a stage are exact. */
type Stage = { partners: [string, string]; actors: Actor[]; facts: Facts; groups: Map<string, string> };

const far = '2990-01-01T00:00:00.000Z';

async function setStage(): Promise<Stage> {
  const partners: [string, string] = [await cast.partner(), await cast.partner()];
  const [home] = partners;
  const actors: Actor[] = [];
  const add = (name: string, { id, email, token }: Player, caller: Partial<Caller> = {}) => {
    const common = {
      userId: id,
      email,
      verified: true,
      operator: false,
      secondFactor: 'not_enabled' as const,
      token: null,
    };
    actors.push({ name, token, caller: { ...common, ...caller } });
  };
  const owner = await cast.owner(home);
  add('owner', owner);
  add('ending owner', await cast.member(home, { owner: true, expires_at: far }));
  add('all bits', await cast.member(home, may('*')));
  add('all bits, ending', await cast.member(home, { ...may('*'), expires_at: far }));
  const admin = [
    acl('agreements'),
    acl('acl_permission_groups'),
    acl('events', 'get', 'post'),
    acl('partner', 'get'),
  ];
  add('admin', await cast.member(home, { acl_permissions: admin }));
  add('reader', await cast.member(home, may('*', 'get', 'query')));
  add('no bits', await cast.member(home));
  add('expired', await cast.member(home, { owner: true, ...hasEnded }));
  const asked = { ...may('*'), mfa_required: true };
  add('unproven', await cast.member(home, asked, { secondFactor: 'missing' }), { secondFactor: 'missing' });
  add('proven', await cast.member(home, asked, { secondFactor: 'proven' }), { secondFactor: 'proven' });
  add('stranger', await cast.user());
  const invited = await cast.user();
  await cast.invite(home, invited.email, { owner: true });
  add('invited', invited);
  const elsewhere = await cast.member(partners[1], { owner: true });
  add('owner elsewhere', elsewhere);
  const operator = await cast.user();
  add('operator', { ...operator, token: await cast.appoint(operator) }, { operator: true });
  for (const [name, scopes, partnerIds] of [
    ['token, agreements', [acl('agreements')], null],
    ['token, readers', [acl('*', 'get', 'query')], null],
    ['token, elsewhere', [acl('*')], [partners[1]]],
  ] as const) {
    const token = await cast.accessToken(owner, [...scopes], partnerIds && [...partnerIds]);
    add(
      name,
      { ...owner, token },
      { token: { scopes: [...scopes] as never, partners: partnerIds && [...partnerIds] } },
    );
  }
  for (let i = 0; i < 3; i++) {
    const acl_permissions = [acl('events', 'get'), ...(i > 0 ? [acl('agreements', 'get', 'patch')] : [])];
    await cast.group(partners[i % 2] as string, acl_permissions, `g${i}`);
  }
  const stage = { partners, actors, facts: {} as Facts, groups: new Map() };
  await readFacts(stage);
  return stage;
}

/** Reads the facts from the database. */
async function readFacts(stage: Stage) {
  const ids = stage.partners.map((partner) => uuidOf(partner));
  const agreements = await service.sql(
    `select agreement.*, coalesce((select jsonb_agg(g.acl_permissions order by l.position) from agreement_group l
        join permission_group g on g.id = l.group_id where l.agreement_id = agreement.id), '[]') as groups
     from agreement where partner_id = any ($1)`,
    [ids],
  );
  const groups = await service.sql(
    'select id, account_id from permission_group where partner_id is null or partner_id = any ($1)',
    [ids],
  );
  const there = await service.sql('select id from partner where id = any ($1) and deleted_at is null', [ids]);
  stage.groups = new Map(
    groups.map(({ id, account_id }) => [formatId('permission_group', id), formatId('partner', account_id)]),
  );
  stage.facts = {
    now: Date.now(),
    operatorsNeedSecondFactor: false,
    partners: there.map(({ id }) => formatId('partner', id)),
    agreements: agreements.map((row) => ({
      id: formatId('agreement', row.id),
      partner: formatId('partner', row.partner_id),
      user: row.user_id,
      email: row.email_key,
      owner: row.owner,
      mfa: row.mfa_required,
      expiresAt: row.expires_at?.getTime() ?? null,
      direct: row.acl_permissions,
      groups: row.groups,
    })),
  };
}

const permissions = ({ pick, chance }: Random) =>
  times(pick([0, 1, 1, 2]), () =>
    acl(pick(resources), ...(chance(0.2) ? [] : [pick(methods), pick(methods)])),
  );
const nonsense = ['x', null, 5, {}, [], [null]];

type Generated = { method: string; path: string; body?: unknown; request: Request; orphan: boolean };

function generate(stage: Stage, { name, caller }: Actor, random: Random): Generated {
  const { pick, chance } = random;
  const { facts, partners, groups } = stage;
  const partner = chance(0.85)
    ? partners[0]
    : pick([partners[1], 'ptr_01h2xcejqtf2nbrexx3vqjhp41', 'x', '%00']);
  const mine = facts.agreements.filter((each) => each.user === caller.userId || each.email === caller.email);
  const agreement =
    (chance(0.3) && mine.length > 0 ? pick(mine).id : undefined) ??
    (chance(0.9) ? pick(facts.agreements).id : 'agr_x');
  const group = chance(0.9) ? pick([...groups.keys()]) : 'apg_x';
  const onGroup = { missing: ![partner, 'ptr_00000000000000000000000000'].includes(groups.get(group) ?? '') };
  const someGroups = () =>
    Array.from(new Set([pick([...groups.keys()]), pick([...groups.keys()])])).slice(0, pick([0, 1, 2]));
  const orphan = chance(0.05);
  const query = orphan ? '?orphan=true' : '';
  const maybe = <T>(value: () => T) => (chance(0.04) ? pick(nonsense) : value());
  const at = `/partners/${partner}`;
  const change = () => ({
    ...(chance(0.25) && { owner: maybe(() => chance(0.5)) }),
    ...(chance(0.15) && { mfa_required: maybe(() => chance(0.3)) }),
    ...(chance(0.25) && {
      expires_at: maybe(() => pick([null, far, '2995-01-01T00:00:00Z', '2020-01-01T00:00:00Z'])),
    }),
    ...(chance(0.4) && { acl_permissions: maybe(() => permissions(random)) }),
    ...(chance(0.3) && { acl_permission_group_ids: maybe(someGroups) }),
    ...(chance(0.1) && { accepted: maybe(() => true) }),
  });
  const make = (
    method: string,
    path: string,
    permission: string,
    more: Partial<Generated> & { on?: Partial<Request> } = {},
  ): Generated => {
    const { on, ...rest } = more;
    return { method, path, request: { partner, permission, ...on }, orphan: false, ...rest };
  };
  return pick([
    () => make('GET', at, 'partner.get'),
    () => make('PATCH', at, 'partner.patch', { body: { phone: pick(['1', '2']) } }),
    () => make('GET', `${at}/agreements`, 'agreements.query'),
    () => {
      // Some invitations go to existing users, most to new addresses.
      const email = chance(0.3) ? pick(stage.actors).caller.email : chance(0.9) ? newEmail() : 'x';
      return make('POST', `${at}/agreements`, 'agreements.post', {
        body: { email, ...(chance(0.2) && { owner: maybe(() => true) }) },
      });
    },
    () =>
      make('GET', `${at}/agreements/${agreement}`, 'agreements.get', { on: { agreement, ownRight: 'read' } }),
    () =>
      make('GET', `${at}/agreements/${agreement}/effective-permissions`, 'agreements.get', {
        on: { agreement, ownRight: 'read' },
      }),
    () =>
      make('PATCH', `${at}/agreements/${agreement}${query}`, 'agreements.patch', {
        body: change(),
        orphan,
        on: { agreement, ownRight: 'answer' },
      }),
    () =>
      make('PATCH', `${at}/agreements/${agreement}${query}`, 'agreements.patch', {
        body: change(),
        orphan,
        on: { agreement, ownRight: 'answer' },
      }),
    () =>
      make('PATCH', `${at}/agreements/${agreement}`, 'agreements.patch', {
        body: { accepted: true },
        on: { agreement, ownRight: 'answer' },
      }),
    // Deletes are rare, so that agreements remain.
    () =>
      chance(0.1) || name === 'stranger'
        ? make('DELETE', `${at}/agreements/${agreement}${query}`, 'agreements.delete', {
            orphan,
            on: { agreement, ownRight: 'leave' },
          })
        : make('POST', `${at}/agreements/${agreement}/resend`, 'agreements.post', { on: { agreement } }),
    () => make('GET', `${at}/acl-permission-groups`, 'acl_permission_groups.query'),
    () => make('GET', `${at}/acl-permission-groups/${group}`, 'acl_permission_groups.get', { on: onGroup }),
    () =>
      make('POST', `${at}/acl-permission-groups`, 'acl_permission_groups.post', {
        body: { name: randomUUID(), acl_permissions: maybe(() => permissions(random)) },
      }),
    () =>
      make('PATCH', `${at}/acl-permission-groups/${group}`, 'acl_permission_groups.patch', {
        body: { acl_permissions: maybe(() => permissions(random)) },
        on: onGroup,
      }),
    () =>
      make(
        'DELETE',
        `${at}/acl-permission-groups/${group}${chance(0.5) ? '?detach=true' : ''}`,
        'acl_permission_groups.delete',
        {
          on: onGroup,
        },
      ),
    () =>
      make('PUT', `${at}/acl-permission-groups/default`, 'acl_permission_groups.put', {
        body: { acl_permission_group_id: maybe(() => pick([null, group])) },
      }),
  ])();
}

const expected = {
  hidden: [404, 'not_found'],
  forbidden: [403, 'forbidden'],
  mfa_required: [403, 'mfa_required'],
  sso_required: [403, 'sso_required'],
} as const;

it('A8, E5, R3: the service never allows a request or a change that the reference model denies', async () => {
  const seen = new Map<string, number>();
  let left = total;

  async function play(index: number) {
    const random = createRandom(seed + index);
    let stage = await setStage();
    for (let turn = 0; left > 0; turn++, left--) {
      if (turn % 400 === 399) stage = await setStage();
      const actor = random.pick(stage.actors);
      const { method, path, body, request, orphan } = generate(stage, actor, random);
      const { facts: before } = stage;
      const verdict = judge(before, actor.caller, request);
      const answer = await service.request(method, path, {
        token: actor.token,
        body,
      });
      const told = `seed ${seed + index}: ${actor.name} ${method} ${path} ${JSON.stringify(body)} -> ${JSON.stringify(answer.body)}`;
      expect(answer.status, told).toBeLessThan(500);
      seen.set(`${method} ${answer.status}`, (seen.get(`${method} ${answer.status}`) ?? 0) + 1);
      if (verdict !== 'allowed') expect([answer.status, answer.body.code], told).toEqual(expected[verdict]);
      else if (method === 'GET') expect(answer.status, told).toBe(200);
      else expect(answer.status, told).not.toBe(404);
      if (method === 'GET' || answer.status >= 300) continue;
      await readFacts(stage);
      const broken = brokenRule({
        before,
        after: stage.facts,
        caller: actor.caller,
        partner: request.partner,
        orphan,
      });
      expect(broken, told).toBeNull();
    }
  }
  await atOnce(stages, (index) => play(index));

  for (const outcome of [
    'GET 200',
    'GET 403',
    'GET 404',
    'POST 201',
    'POST 403',
    'PATCH 200',
    'PATCH 400',
    'PATCH 403',
    'PATCH 404',
    'DELETE 204',
    'DELETE 403',
    'PUT 200',
  ])
    expect(seen.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
});
