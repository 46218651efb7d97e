// The five agreement operations, over HTTP.
import { beforeAll, describe, expect, it } from 'vitest';
import {
  acl,
  codeOf,
  expectCode,
  expectStatus,
  faultOf,
  hasEnded,
  type Member,
  may,
  pluck,
  succeed,
  times,
  useCast,
} from '../stage/cast.ts';
import { newEmail } from '../stage/start-service.ts';

let partner: string;
let owner: Member;
const { service, cast } = useCast();
beforeAll(async () => {
  partner = await cast.partner();
  owner = await cast.member(partner, { owner: true }, { name: 'Olga Owner' });
});

const path = (id = '') => `/partners/${partner}/agreements${id && `/${id}`}`;
const invite = (email = newEmail(), body: object = {}) => cast.invite(partner, email, body, owner.token);
const patch = (id: string, body: unknown, token = owner.token) => service.patch(path(id), body, token);
const get = (id: string, token = owner.token) => service.get(path(id), token);
const remove = (id: string, token = owner.token, query = '') => service.remove(path(id) + query, token);

describe('create', () => {
  it('A2: creates a pending agreement that grants nothing, and returns its location', async () => {
    const email = newEmail();
    const { status, body, headers } = await invite(email);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      accepted: false,
      owner: false,
      mfa_required: false,
      expires_at: null,
      created_at: body.created_at,
      updated_at: body.created_at,
      user: { email, name: null },
      acl_permissions: [],
      acl_permission_groups: [],
      acl_permission_group_ids: [],
    });
    expect(headers.location).toBe(path(body.id));
    expect((await get(body.id)).body).toEqual(body);
    expect((await get(body.id)).headers.etag).toBe(headers.etag);
  });

  it('A2: accepts true, false or null as owner, and refuses other members', async () => {
    for (const [owner, expected] of [
      [true, true],
      [false, false],
      [null, false],
    ])
      expect((await invite(newEmail(), { owner })).body.owner).toBe(expected);
    for (const body of [{ owner: 'true' }, { owner: 1 }, { accepted: true }, { email: null }, { email: 5 }])
      await expectStatus(400, invite(newEmail(), body));
    expect((await service.post(path(), {}, owner.token)).body.errors).toMatchObject([
      { pointer: '/email', code: 'required' },
    ]);
  });

  it('F4: compares an e-mail by its key and returns it as first given', async () => {
    const { body } = await invite('Ann.Lee+x@Bücher.example');
    expect(body.user.email).toBe('Ann.Lee+x@Bücher.example');
    for (const same of ['ann.lee+x@xn--bcher-kva.example', 'ANN.LEE+X@BÜCHER.EXAMPLE'])
      await expectCode('agreement_exists', invite(same));
    await expectStatus(201, invite('annlee+x@bücher.example'));
    // Two hyphens in the third and fourth place, digits, and a top-level domain in Punycode are valid.
    for (const valid of ['a@ab--cd.example', 'a@1.2.example', 'a@xn--fa-hia.xn--p1ai', 'a@b.c1'])
      expect((await invite(valid)).status, valid).toBe(201);
    for (const wrong of [
      '',
      'a',
      '@a.b',
      'a@',
      'a@b',
      ' a@b.c',
      'a b@c.d',
      'a,b@c.d',
      '"a"@b.c',
      'a@[1.2.3.4]',
      'a\n@b.c',
      'é@b.c',
      'a..b@c.d',
      'a@@b.c',
      `${'x'.repeat(65)}@b.c`,
      `a@${'b.'.repeat(126)}c`,
      'a@xn--a.co',
      'a@XN--A.co',
      'a@b.xn--a',
      'a@xn--.co',
      'a@xn--a-.co',
      'a@xn--xn--a.co',
      'a@1.2.3.4',
      'a@0x7f.1',
      'a@\uff11.2.3.4',
      'a@b.123',
      'a@b.xn--',
      'a@b.c/x',
      'a@b.c?x',
      'a@b.c#x',
      'a@b\u200b.c',
      'a@b\u00ad.c',
      'a@b.c\u2060',
    ]) {
      expect([wrong, ...faultOf(await invite(wrong))]).toEqual([wrong, 400, '/email']);
    }
  });

  it('A2: answers 400 if the e-mail has a pending or active agreement', async () => {
    const player = await cast.user();
    const { body } = await invite(player.email);
    await expectCode('agreement_exists', invite(player.email));
    succeed(await patch(body.id, { accepted: true }, player.token));
    await expectCode('agreement_exists', invite(player.email.toUpperCase()));
  });

  it('A2: replaces an expired agreement, or one with an expired invitation, by a new id', async () => {
    const player = await cast.member(partner, {
      ...hasEnded,
      ...may('partner'),
    });
    const again = await invite(player.email);
    expect([again.status, again.body.accepted, again.body.acl_permissions]).toEqual([201, false, []]);
    await expectStatus(404, get(player.agreement));
    const lapse = `update agreement set invitation_expires_at = now() - interval '1 second' where email = $1`;
    await service.sql(lapse, [player.email]);
    const third = await invite(player.email);
    expect([third.status, third.body.id === again.body.id]).toEqual([201, false]);
    await expectStatus(404, get(again.body.id));
  });

  it('A2: gives the same answer whether the e-mail belongs to a user or not', async () => {
    const player = await cast.user({ name: 'Known' });
    const known = await invite(player.email);
    const unknown = await invite();
    const shape = ({ id, created_at, updated_at, user, ...rest }: Record<string, unknown>) => ({
      ...rest,
      name: (user as { name: unknown }).name,
    });
    expect(shape(known.body)).toEqual(shape(unknown.body));
    expect(Object.keys(known.headers)).toEqual(Object.keys(unknown.headers));
  });

  it('F5: allows at most 10,000 agreements per partner', async () => {
    const full = await cast.partner();
    await service.sql(
      `insert into agreement (id, partner_id, email, email_key, owner)
       select gen_random_uuid(), (select partner_id from audit_log where target = $1), 'x', 'x' || n, false from generate_series(1, 9999) as n`,
      [full],
    );
    await expectStatus(201, cast.invite(full, newEmail()));
    await expectCode('limit_reached', cast.invite(full, newEmail()));
    // A service account has an agreement too.
    const robot = await service.post(`/partners/${full}/service-accounts`, { name: 'robot' });
    expect(codeOf(robot)).toEqual([400, 'limit_reached']);
  });
});

describe('accept, decline and leave', () => {
  it('A4: an accepted agreement belongs to the user, even after a change of e-mail', async () => {
    const player = await cast.user({ name: 'Ivy' });
    const { body: pending } = await invite(player.email);
    const accepted = await patch(pending.id, { accepted: true }, player.token);
    expect([accepted.status, accepted.body.accepted, accepted.body.user.name]).toEqual([200, true, 'Ivy']);
    const again = await patch(pending.id, { accepted: true }, player.token);
    expect([again.status, again.body]).toEqual([200, accepted.body]);
    await cast.set(player.id, { email: 'other@concord.test' });
    expect((await get(pending.id, player.token)).body.user.email).toBe(player.email);
    await service.sql('delete from auth."user" where id = $1', [player.id]);
    await expectStatus(404, get(pending.id));
  });

  it('A3: accepted can only become true, and only the invited user can set it', async () => {
    const player = await cast.user();
    const { body } = await invite(player.email);
    for (const accepted of [false, null, 'true']) {
      const refused = await patch(body.id, { accepted }, player.token);
      const fault = { pointer: '/accepted', code: 'invalid_value', message: 'accepted can only be true' };
      expect([refused.status, refused.body.errors]).toEqual([400, [fault]]);
    }
    for (const token of [owner.token, service.operatorToken]) {
      await expectStatus(403, patch(body.id, { accepted: true }, token));
    }
    await expectStatus(404, patch(body.id, { accepted: true }, (await cast.user()).token));
  });

  it('A1: a pending agreement grants nothing; the invited user may read, accept or decline it, but not change it', async () => {
    const player = await cast.user();
    const { body } = await invite(player.email, { owner: true });
    succeed(await patch(body.id, may('*')));
    for (const url of [`/partners/${partner}`, path(), path(owner.agreement)])
      await expectStatus(404, service.get(url, player.token));
    await expectStatus(200, get(body.id, player.token));
    for (const more of [{}, { owner: true }, { accepted: true, expires_at: null }, { mfa_required: false }])
      await expectStatus(403, patch(body.id, more, player.token));
    await expectStatus(204, remove(body.id, player.token));
    await expectStatus(404, get(body.id));
  });

  it('A4: a user with an unverified e-mail sees no invitation', async () => {
    const player = await cast.user({ verified: false });
    const { body } = await invite(player.email);
    await expectStatus(404, patch(body.id, { accepted: true }, player.token));
    expect((await service.get('/me/agreements', player.token)).body).toEqual([]);
  });

  it('A4: accepting an invitation requires a session', async () => {
    const player = await cast.user();
    const { body } = await invite(player.email);
    const token = await cast.accessToken(player, [acl('*')]);
    await expectStatus(403, patch(body.id, { accepted: true }, token));
  });

  it('A2: an invitation expires, and a resend renews it', async () => {
    const player = await cast.user();
    const { body } = await invite(player.email);
    await service.sql(
      `update agreement set invitation_expires_at = now() - interval '1 second' where email = $1`,
      [player.email],
    );
    await expectCode('invitation_expired', patch(body.id, { accepted: true }, player.token));
    const resent = await service.request('POST', `${path(body.id)}/resend`, { token: owner.token });
    expect([resent.status, resent.body.id]).toEqual([200, body.id]);
    await expectStatus(200, patch(body.id, { accepted: true }, player.token));
    await expectStatus(400, service.request('POST', `${path(body.id)}/resend`, { token: owner.token }));
  });

  it('A4: a member who accepts a second invitation replaces an expired agreement', async () => {
    const player = await cast.member(partner, hasEnded);
    const other = newEmail();
    await cast.set(player.id, { email: other });
    const { body } = await invite(other);
    await expectStatus(200, patch(body.id, { accepted: true }, player.token));
    await expectStatus(404, get(player.agreement));
  });

  it('A14: an invitation to another address of a member ends when the member accepts it', async () => {
    const player = await cast.member(partner);
    const other = newEmail();
    await cast.set(player.id, { email: other });
    const { body } = await invite(other, { owner: true });
    await expectCode('already_member', patch(body.id, { accepted: true }, player.token));
    await expectStatus(404, get(body.id));
    expect((await get(player.agreement)).body.owner).toBe(false);
    const log = await service.sql(
      'select action, actor_id from audit_log where target = $1 order by position',
      [body.id],
    );
    expect(log.at(-1)).toEqual({ action: 'agreement.discard', actor_id: player.id });
    // The address can be invited again, for example after the member has left.
    succeed(await remove(player.agreement, player.token));
    const again = succeed(await invite(other));
    await expectStatus(200, patch(again.id, { accepted: true }, player.token));
  });
});

describe('update', () => {
  it('A3: changes each member and replaces whole arrays, and {} changes nothing', async () => {
    const { agreement } = await cast.member(partner);
    const before = (await get(agreement)).body;
    expect((await patch(agreement, {})).body).toEqual(before);
    const permissions = [acl('partner', 'get'), acl('events')];
    const after = await patch(agreement, {
      owner: true,
      mfa_required: true,
      expires_at: '2999-01-31T10:00:00+02:00',
      acl_permissions: permissions,
    });
    expect(after.body).toMatchObject({
      owner: true,
      mfa_required: true,
      expires_at: '2999-01-31T08:00:00.000Z',
    });
    expect(after.body.acl_permissions).toEqual(permissions);
    expect(after.body.updated_at > before.updated_at).toBe(true);
    expect(
      (await patch(agreement, { owner: false, expires_at: null, acl_permissions: [] })).body,
    ).toMatchObject({
      owner: false,
      mfa_required: true,
      expires_at: null,
      acl_permissions: [],
    });
  });

  it('A3: answers 400 to bad values and changes nothing', async () => {
    const { agreement } = await cast.member(partner);
    const before = (await get(agreement)).body;
    const { query: _, ...five } = acl('partner') as Record<string, unknown>;
    const wrong = [
      { owner: null },
      { owner: 'true' },
      { mfa_required: null },
      { email: 'a@b.c' },
      { id: 'x' },
      { user: {} },
      { expires_at: 'tomorrow' },
      { expires_at: '2999-01-01T00:00:00' },
      { expires_at: 5 },
      { expires_at: '2999-02-30T00:00:00Z' },
      { acl_permissions: null },
      may('nothing'),
      { acl_permissions: [five] },
      { acl_permissions: [acl('partner'), acl('partner', 'get')] },
      { acl_permissions: [{ ...acl('partner'), get: 1 }] },
      { acl_permission_group_ids: ['x'] },
      { acl_permission_group_ids: null },
      { acl_permission_group_ids: [5] },
      [],
      null,
      '',
      '{"owner":true,"owner":true}',
    ];
    for (const body of wrong) expect([body, (await patch(agreement, body)).status]).toEqual([body, 400]);
    expect((await get(agreement)).body).toEqual(before);
  });

  it('A3, A5: keeps groups in the given order; unknown and foreign groups get the same 400', async () => {
    const { agreement } = await cast.member(partner);
    const [first, second] = [await cast.group(partner, [], 'first'), await cast.group(partner, [], 'second')];
    const foreign = await cast.group(await cast.partner());
    const changed = await patch(agreement, { acl_permission_group_ids: [second, first] });
    expect(changed.body.acl_permission_group_ids).toEqual([second, first]);
    expect(pluck(changed.body.acl_permission_groups, 'name')).toEqual(['second', 'first']);
    const answers = await Promise.all(
      [foreign, 'apg_01h2xcejqtf2nbrexx3vqjhp41', 'x'].map((id) =>
        patch(agreement, { acl_permission_group_ids: [first, id] }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(new Set(answers.map(({ body }) => JSON.stringify({ ...body, request_id: '' }))).size).toBe(1);
    await expectStatus(400, patch(agreement, { acl_permission_group_ids: [first, first] }));
    const many = times(51, (i) => `apg_${String(i).padStart(26, '0')}`);
    await expectStatus(400, patch(agreement, { acl_permission_group_ids: many }));
  });

  it('A6: checks the expiry at request time, to the millisecond', async () => {
    const end = '2100-06-01T12:00:00.123Z';
    const player = await cast.member(partner, { expires_at: end, ...may('partner', 'get') });
    const read = async () => (await service.get(`/partners/${partner}`, player.token)).status;
    await service.sql(`update auth.session set expires_at = '2101-01-01', updated_at = '2100-06-01'`);
    await service.setClock('2100-06-01T12:00:00.122Z');
    expect(await read()).toBe(200);
    await service.setClock(end);
    expect(await read()).toBe(404);
    expect(pluck((await service.get(`${path()}?filter[state]=expired`, owner.token)).body, 'id')).toContain(
      player.agreement,
    );
    await service.advanceClock(0);
    expect(await read()).toBe(200);
  });

  it('C1: honours If-Match on change and delete', async () => {
    const { agreement } = await cast.member(partner);
    const { headers } = await get(agreement);
    const send = (method: string, match: string) =>
      service.request(method, path(agreement), {
        token: owner.token,
        body: { mfa_required: true },
        headers: { 'if-match': match },
      });
    await expectStatus(412, send('PATCH', '"other"'));
    await expectStatus(412, send('DELETE', '"other"'));
    await expectStatus(200, send('PATCH', String(headers.etag)));
    await expectStatus(412, send('DELETE', String(headers.etag)));
    await expectStatus(204, send('DELETE', '*'));
  });

  it('E3, A1: a member without the permission gets 403 for their own agreement, also with a stale tag', async () => {
    const { agreement, token } = await cast.member(partner);
    const send = (body: object) =>
      service.request('PATCH', path(agreement), { token, body, headers: { 'if-match': '"other"' } });
    await expectStatus(403, send({ mfa_required: true }));
    await expectStatus(412, send({ accepted: true }));
  });
});
