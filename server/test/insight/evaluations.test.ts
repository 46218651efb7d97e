// Evaluations: OpenID AuthZEN Authorization API 1.0, and what an answer must not tell.
import { beforeAll, describe, expect, it } from 'vitest';
import {
  acl,
  expectCode,
  expectFault,
  expectStatus,
  hasEnded,
  type Member,
  may,
  type Player,
  pluck,
  succeed,
  useCast,
} from '../stage/cast.ts';

let partner: string;
let owner: Player;
let reader: Member;
const nowhere = 'ptr_01h2xcejqtf2nbrexx3vqjhp41';
const { service, cast } = useCast({ CONCORD_BASE_URL: 'https://concord.test' });
beforeAll(async () => {
  partner = await cast.partner();
  owner = await cast.owner(partner);
  reader = await cast.member(partner, may('deliveries', 'get'));
});

/** `deliveries.get` of the reader, unless the parts say otherwise. */
const ask = ({
  subject = reader.id,
  resource = 'deliveries',
  action = 'get',
  at = partner,
}: Record<string, string> = {}) => ({
  subject: { type: 'user', id: subject },
  action: { name: action },
  resource: { type: resource, id: at },
});
type Sending = { token?: string | null; headers?: Record<string, string | string[]> };
const evaluate = (body: unknown = ask(), { token = owner.token, headers = {} }: Sending = {}) =>
  service.request('POST', '/access/v1/evaluation', { token, body, headers });
const evaluateAll = (body: unknown, { token = owner.token, headers = {} }: Sending = {}) =>
  service.request('POST', '/access/v1/evaluations', { token, body, headers });
const decisions = async (body: object, token = owner.token) =>
  pluck(succeed(await evaluateAll(body, { token })).evaluations, 'decision');
const reasonOf = async (body: object, token = owner.token) =>
  succeed(await evaluate(body, { token })).context.reason;

/** Another partner, of which the player is a member. */
const partnerOf = async (player: Player) => {
  const other = await cast.partner();
  await cast.join(other, player);
  return other;
};

describe('a question', () => {
  it('R6: the answer is a decision with its reason; a person is named by id or by e-mail address', async () => {
    const { status, headers, body } = await evaluate();
    expect([status, headers['content-type'], body]).toEqual([
      200,
      'application/json',
      { decision: true, context: { reason: 'direct' } },
    ]);
    expect((await evaluate(ask({ subject: reader.email.toUpperCase() }))).body.decision).toBe(true);
    expect((await evaluate(ask({ action: 'patch' }))).body).toEqual({
      decision: false,
      context: { reason: 'not_granted' },
    });
    expect(await reasonOf(ask({ subject: owner.id }))).toBe('owner');
  });

  it('R6: a group that allows it is named', async () => {
    const groups = succeed(
      await service.get(`/partners/${partner}/acl-permission-groups?filter[name]=Viewer`),
    );
    const viewer = await cast.member(partner, { acl_permission_group_ids: [groups[0].id] });
    expect((await evaluate(ask({ subject: viewer.id }))).body).toEqual({
      decision: true,
      context: { reason: 'group', acl_permission_group_id: groups[0].id },
    });
  });

  it('R6: unknown members, properties and the context are ignored at every level', async () => {
    const extra = { x: [1, { y: null }], department: 'Sales' };
    const open = {
      subject: { type: 'user', id: reader.id, properties: extra, extra },
      action: { name: 'get', properties: { method: 'GET' }, extra },
      resource: { type: 'deliveries', id: partner, properties: extra, extra },
      context: { time: '1985-10-26T01:22-07:00', ...extra },
      extra,
    };
    expect((await evaluate(open)).body.decision).toBe(true);
    const options = { another_option: 'value' };
    expect(await decisions({ ...open, evaluations: [{ extra, context: extra }], options })).toEqual([true]);
    expect((await evaluate({ ...open, ...JSON.parse('{"__proto__":{"subject":1}}') })).body.decision).toBe(
      true,
    );
  });

  it('R6: a word that Concord does not have is a denial with a reason', async () => {
    const { subject, ...rest } = ask();
    expect(await reasonOf({ subject: { ...subject, type: 'service' }, ...rest })).toBe(
      'unknown_subject_type',
    );
    for (const resource of ['*', 'account', '', 'toString'])
      expect(await reasonOf(ask({ resource }))).toBe('unknown_resource_type');
    for (const action of ['*', 'can_read', 'GET', 'constructor'])
      expect(await reasonOf(ask({ action }))).toBe('unknown_action');
  });

  const requests: [string, (body: ReturnType<typeof ask>) => unknown, string][] = [
    ['no subject', ({ subject: _, ...rest }) => rest, '/subject'],
    ['no action', ({ action: _, ...rest }) => rest, '/action'],
    ['no resource', ({ resource: _, ...rest }) => rest, '/resource'],
    ['no subject type', (body) => ({ ...body, subject: { id: 'x' } }), '/subject/type'],
    ['no subject id', (body) => ({ ...body, subject: { type: 'user' } }), '/subject/id'],
    ['no action name', (body) => ({ ...body, action: {} }), '/action/name'],
    ['no resource type', (body) => ({ ...body, resource: { id: 'x' } }), '/resource/type'],
    ['no resource id', (body) => ({ ...body, resource: { type: 'partner' } }), '/resource/id'],
    ['an id that is no string', (body) => ({ ...body, subject: { type: 'user', id: 5 } }), '/subject/id'],
    ['a subject that is no object', (body) => ({ ...body, subject: 'ann' }), '/subject'],
    [
      'properties that are no object',
      (body) => ({ ...body, action: { name: 'get', properties: [] } }),
      '/action/properties',
    ],
    ['a context that is null', (body) => ({ ...body, context: null }), '/context'],
  ];
  it('R6: a request that lacks a required member, or has one of the wrong type, is 400', async () => {
    for (const [name, change, pointer] of requests) {
      for (const send of [evaluate, evaluateAll]) {
        const { status, body } = await send(change(ask()));
        expect([status, body.code, body.errors?.[0].pointer], name).toEqual([
          400,
          'invalid_request',
          pointer,
        ]);
      }
    }
    for (const body of ['', '[]', 'null', '{', '{"subject":1,"subject":1}'])
      expect((await evaluate(body)).status, body).toBe(400);
  });

  it('R6: without a valid token the answer is 401, and other types of content are 415', async () => {
    for (const token of [null, 'x'.repeat(32)])
      for (const { status, headers } of [await evaluate({}, { token }), await evaluateAll({}, { token })])
        expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="concord"']);
    await expectStatus(415, evaluate(ask(), { headers: { 'content-type': 'text/plain' } }));
    await expectStatus(405, service.get('/access/v1/evaluation'));
  });

  it('R8: the answer has the X-Request-ID of the request, also an error', async () => {
    for (const id of ['bfe9eb29-ab87-4ca3-be83-a1d5d8305716', 'any text, "quoted"', 'é', 'x'.repeat(5_000)]) {
      const headers = { 'x-request-id': id };
      for (const token of [owner.token, 'x'.repeat(32)]) {
        // As bytes: before a text, Node would send the header in UTF-8.
        expect(
          (await evaluate(Buffer.from(JSON.stringify(ask())), { token, headers })).headers['x-request-id'],
        ).toBe(id);
        expect((await evaluateAll(Buffer.from('{}'), { token, headers })).headers['x-request-id']).toBe(id);
      }
    }
    const own = await evaluate(ask(), { headers: { 'x-request-id': '' } });
    expect(own.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const others = await service.request('GET', '/partners', { headers: { 'x-request-id': 'mine' } });
    expect(others.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(service.logs.join('')).toContain('"client_request_id":"bfe9eb29-ab87-4ca3-be83-a1d5d8305716"');
  });
});

describe('many questions', () => {
  it('R8: they take what they lack from the top level, whole members at a time, and are answered in their order', async () => {
    const { subject, action, resource } = ask();
    const forbidden = { action: { name: 'put' } };
    expect(await decisions({ subject, action, resource, evaluations: [{}, forbidden, {}] })).toEqual([
      true,
      false,
      true,
    ]);
    expect(await decisions({ action, evaluations: [{ subject, resource }] })).toEqual([true]);
    expect(await decisions({ evaluations: [{ subject, action, resource }] })).toEqual([true]);
    const half = { subject, action, resource, evaluations: [{ resource: { id: partner } }] };
    await expectFault('/evaluations/0/resource/type', evaluateAll(half));
    const missing = await evaluateAll({
      subject,
      evaluations: [{ action, resource }, { action }, { resource }],
    });
    expect([missing.status, pluck(missing.body.errors, 'pointer')]).toEqual([
      400,
      ['/evaluations/1/resource', '/evaluations/2/action'],
    ]);
  });

  it('R8: without evaluations the request is a single question', async () => {
    const single = { decision: true, context: { reason: 'direct' } };
    expect((await evaluateAll(ask())).body).toEqual(single);
    expect((await evaluateAll({ ...ask(), evaluations: [] })).body).toEqual(single);
    expect(
      (await evaluateAll({ ...ask(), options: { evaluations_semantic: 'permit_on_first_permit' } })).body,
    ).toEqual(single);
    await expectStatus(403, evaluateAll(ask({ subject: owner.id }), { token: reader.token }));
  });

  it('R8: a semantic can end the list at the first denial, or at the first permit', async () => {
    const { subject, resource } = ask();
    const evaluations = ['get', 'put', 'get', 'put'].map((name) => ({ action: { name } }));
    const run = (evaluations_semantic?: string, list = evaluations) =>
      decisions({
        subject,
        resource,
        evaluations: list,
        options: evaluations_semantic ? { evaluations_semantic } : {},
      });
    expect(await run()).toEqual([true, false, true, false]);
    expect(await run('execute_all')).toEqual([true, false, true, false]);
    expect(await run('deny_on_first_deny')).toEqual([true, false]);
    expect(await run('permit_on_first_permit')).toEqual([true]);
    expect(await run('permit_on_first_permit', evaluations.slice(1))).toEqual([false, true]);
    expect(await run('deny_on_first_deny', evaluations.slice(0, 1))).toEqual([true]);
    const options = { evaluations_semantic: 'any' };
    await expectFault(
      '/options/evaluations_semantic',
      evaluateAll({ subject, resource, evaluations, options }),
    );
  });

  it('R8: at most 100', async () => {
    const many = (count: number) => ({ ...ask(), evaluations: Array(count).fill({}) });
    expect(await decisions(many(100))).toEqual(Array(100).fill(true));
    const { status, body } = await evaluateAll(many(101));
    expect([status, body.errors[0]]).toMatchObject([400, { pointer: '/evaluations', code: 'too_long' }]);
  });

  it('R7, R8: one that the caller may not ask is a denial with an error, and ends a list like a denial', async () => {
    const { subject, action, resource } = ask();
    const list = [
      { subject: { type: 'user', id: owner.id } },
      {},
      { resource: { type: 'partner', id: nowhere } },
    ];
    const body = { subject, action, resource, evaluations: list };
    const error = { status: 403, code: 'forbidden', message: 'You need the permission agreements.query.' };
    expect(succeed(await evaluateAll(body, { token: reader.token })).evaluations).toEqual([
      { decision: false, context: { error } },
      { decision: true, context: { reason: 'direct' } },
      { decision: false, context: { reason: 'hidden' } },
    ]);
    const options = { evaluations_semantic: 'deny_on_first_deny' };
    expect(await decisions({ ...body, options }, reader.token)).toEqual([false]);
  });
});

describe('who may ask', () => {
  it('R7: everyone asks about themselves, and is answered for the credential that asks', async () => {
    const own = ask({ subject: reader.email });
    expect(await reasonOf(own, reader.token)).toBe('direct');
    const program = await cast.accessToken(reader, [acl('events')]);
    expect(await reasonOf(own, program)).toBe('out_of_scope');
    expect(
      await reasonOf(own, await cast.accessToken(reader, [acl('deliveries')], [await partnerOf(reader)])),
    ).toBe('hidden');
    const asked = await cast.member(
      partner,
      { owner: true, mfa_required: true },
      { secondFactor: 'missing' },
    );
    expect(await reasonOf(ask({ subject: asked.id }), asked.token)).toBe('mfa_required');
    expect(await reasonOf(ask({ subject: asked.id }), await cast.session(asked.id, true))).toBe('owner');
  });
  it('R7: agreements.query is needed to ask about others, with the scope of a token', async () => {
    const lister = await cast.member(partner, may('agreements', 'query'));
    const outcome = async (token: string) => {
      const { status, body } = await evaluate(ask(), { token });
      return body.message ?? `${status} ${body.context.reason}`;
    };
    expect(await outcome(lister.token)).toBe('200 direct');
    expect(await outcome(await cast.accessToken(lister, [acl('agreements', 'query')]))).toBe('200 direct');
    expect(await outcome(await cast.accessToken(lister, [acl('agreements', 'get')]))).toBe(
      'This access token is not sufficient: you need the permission agreements.query.',
    );
    const stranger = await cast.member(partner, may('*', 'get', 'post', 'patch', 'put', 'delete'));
    expect(await outcome(stranger.token)).toBe('You need the permission agreements.query.');
    expect(await outcome(service.operatorToken)).toBe('200 direct');
    const account = succeed(await service.post(`/partners/${partner}/service-accounts`, { name: 'robot' }));
    succeed(await cast.change(partner, account.agreement_id, may('agreements', 'query')));
    const path = `/partners/${partner}/service-accounts/${account.id}/access-tokens`;
    const { token } = succeed(await service.post(path, { name: 'x', scopes: [acl('agreements')] }));
    expect(await outcome(token)).toBe('200 direct');
    const unproven = await cast.member(
      partner,
      { owner: true, mfa_required: true },
      { secondFactor: 'missing' },
    );
    await expectCode('mfa_required', evaluate(ask(), { token: unproven.token }));
  });

  it('R7: a refusal does not depend on the subject, and leaves one row in the log of the partner', async () => {
    const asker = await cast.member(partner);
    const answers = [];
    for (const subject of [reader.id, reader.email, 'nobody@concord.test', 'usr_x', '\u0000'])
      answers.push(
        (await evaluate(ask({ subject }), { token: asker.token, headers: { 'x-request-id': 'same' } })).text,
      );
    expect(new Set(answers).size).toBe(1);
    await expect
      .poll(() =>
        service.sql(`select action, outcome from audit_log where actor_id = $1 and outcome = 'denied'`, [
          asker.id,
        ]),
      )
      .toEqual(Array(5).fill({ action: 'agreements.query', outcome: 'denied' }));
    const list = { ...ask(), evaluations: [{}, {}, {}] };
    await evaluateAll(list, { token: asker.token });
    const count = () =>
      service.sql('select from audit_log where actor_id = $1 and outcome = $2', [asker.id, 'denied']);
    await expect.poll(async () => (await count()).length).toBe(6);
  });

  it('R7: a caller who may not know the partner gets the answer for a partner that does not exist, byte for byte', async () => {
    const stranger = await cast.user();
    const invited = await cast.user();
    await cast.invite(partner, invited.email, { owner: true });
    const deleted = await cast.partner();
    await service.remove(`/partners/${deleted}`);
    const scoped = await cast.accessToken(owner, [acl('*')], [await partnerOf(owner)]);
    const headers = { 'x-request-id': 'same' };
    for (const token of [stranger.token, invited.token, scoped]) {
      for (const subject of [reader.id, reader.email, stranger.id, invited.email, 'nobody@concord.test']) {
        const [there, missing, gone, garbled] = await Promise.all(
          [partner, nowhere, deleted, 'x'].map((at) => evaluate(ask({ subject, at }), { token, headers })),
        );
        for (const answer of [there, missing, gone, garbled]) {
          const { date: _, ...seen } = answer!.headers;
          const { date: _date, ...expected } = missing!.headers;
          expect([answer!.status, seen, answer!.text]).toEqual([
            200,
            expected,
            '{"decision":false,"context":{"reason":"hidden"}}',
          ]);
        }
      }
    }
  });
  it('R7: an unknown, a banned and an unrelated person get one answer, and so does an invitation that is not accepted', async () => {
    const [unrelated, invited] = [await cast.user(), await cast.user()];
    await cast.invite(partner, invited.email, { owner: true });
    const banned = await cast.owner(partner);
    await service.post(`/users/${banned.id}/ban`, {});
    const expired = await cast.member(partner, { owner: true, ...hasEnded });
    const people = [unrelated.id, unrelated.email, invited.email, banned.id, banned.email, expired.id];
    for (const token of [owner.token, service.operatorToken])
      for (const subject of [
        ...people,
        'nobody@concord.test',
        'usr_01h2xcejqtf2nbrexx3vqjhp41',
        'x',
        '',
        'a\u0000@b.test',
        '\ud800',
      ])
        expect((await evaluate(ask({ subject }), { token })).text, subject).toBe(
          '{"decision":false,"context":{"reason":"hidden"}}',
        );
    expect((await evaluate(ask({ at: nowhere }), { token: service.operatorToken })).body.context.reason).toBe(
      'hidden',
    );
  });

  it('R7: only operators learn who is an operator', async () => {
    const [appointed, viewing] = [await cast.user(), await cast.member(partner, may('events', 'get'))];
    const own = await cast.appoint(appointed);
    await cast.appoint(viewing);
    const about = (subject: string, resource = 'deliveries') => ask({ subject, resource });
    expect(await reasonOf(about(appointed.id), service.operatorToken)).toBe('operator');
    expect(await reasonOf(about(appointed.id), own)).toBe('operator');
    const stranger = (await evaluate(about((await cast.user()).email))).text;
    for (const subject of [appointed.id, appointed.email])
      expect((await evaluate(about(subject))).text).toBe(stranger);
    expect(await reasonOf(about(viewing.id))).toBe('not_granted');
    expect(await reasonOf(about(viewing.id, 'events'))).toBe('direct');
  });
});

it('R8: the metadata names the operations, and can be cached', async () => {
  const { status, body, headers } = await service.get('/.well-known/authzen-configuration', null);
  expect([status, body]).toEqual([
    200,
    {
      policy_decision_point: 'https://concord.test',
      access_evaluation_endpoint: 'https://concord.test/access/v1/evaluation',
      access_evaluations_endpoint: 'https://concord.test/access/v1/evaluations',
    },
  ]);
  expect(headers['cache-control']).toBe('public, max-age=3600');
  const again = { token: null, headers: { 'if-none-match': String(headers.etag) } };
  await expectStatus(304, service.request('GET', '/.well-known/authzen-configuration', again));
});
