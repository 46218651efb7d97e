// Identity connections as rows: who sets them, what their provider must state, and when they are on.
import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  acl,
  atOnce,
  expectCode,
  expectFault,
  expectStatus,
  may,
  type Player,
  pluck,
  succeed,
  useCast,
  uuidOf,
} from '../../stage/cast.ts';
import { startListening } from '../../stage/listen.ts';
import { toLoopback } from '../../stage/receiver.ts';
import { everyTable } from '../../stage/rows.ts';

const { service, cast } = useCast(toLoopback);
let origin: string;
/** By path of the issuer: what its discovery document is. */
const answers: Record<string, (response: ServerResponse) => void> = {
  hangs: () => {},
  huge: (response) => void response.end(Buffer.alloc(70_000, 0x20)),
  moved: (response) =>
    void response.writeHead(302, { location: `${origin}/good/.well-known/openid-configuration` }).end(),
  text: (response) => void response.end('hello'),
  nameless: (response) => void response.end('{"error":"unknown tenant"}'),
  absent: (response) => void response.writeHead(404).end('{}'),
};
const provider = createServer((request, response) => {
  const [, name = ''] = /^\/(\w+)(?:\/)?\/?.well-known/.exec(request.url ?? '') ?? [];
  if (answers[name]) return answers[name](response);
  const issuer = name === 'slash' ? `${origin}/slash/` : `${origin}/${name === 'liar' ? 'good' : name}`;
  const endpoint = name === 'inside' ? 'ftp://127.0.0.1/' : origin;
  response.end(
    JSON.stringify({
      issuer,
      authorization_endpoint: `${endpoint}/auth`,
      token_endpoint: `${endpoint}/token`,
      jwks_uri: `${endpoint}/jwks`,
    }),
  );
});

let partner: string;
let owner: Player;
/** The path of a connection of another partner: it is on, has a domain, and gives a group. */
let neighbour: string;
let closeProvider: () => void;
beforeAll(async () => {
  const { port, close } = await startListening(provider);
  closeProvider = close;
  origin = `http://127.0.0.1:${port}`;
  partner = await cast.partner();
  owner = await cast.owner(partner);
  const other = await cast.partner();
  const terms = { acl_permission_group_ids: [await cast.group(other)], days: null, mfa_required: false };
  const { id } = succeed(await service.post(all(other), { ...content(), terms }));
  neighbour = `${all(other)}/${id}`;
  await markTested(id);
  await addDomain(id, other);
  succeed(await service.put(`${neighbour}/enable`));
});
afterAll(() => closeProvider());

const secret = 'the secret of the client';
const content = (name = 'good') => ({
  name: 'Directory',
  issuer: `${origin}/${name}`,
  client_id: 'concord',
  authentication: 'client_secret_basic',
  client_secret: secret,
});
const all = (of = partner) => `/partners/${of}/connections`;
const create = (body: object = content(), token = owner.token) => service.post(all(), body, token);
const markTested = (id: string) =>
  service.sql('update identity_connection set tested_at = now() where id = $1', [uuidOf(id)]);
const addDomain = (id: string, of = partner) =>
  service.sql(
    `insert into identity_domain (id, partner_id, connection_id, domain, proof, verified_at)
     values (gen_random_uuid(), $1, $2, gen_random_uuid()::text || '.example', '', now())`,
    [uuidOf(of), uuidOf(id)],
  );
/** A partner has five at most. */
const cleared = async () => {
  await service.sql('delete from identity_connection where partner_id = $1', [uuidOf(partner)]);
};

it('K1, K12: the provider must state the same issuer, to the letter, and the answer says what is wrong', async () => {
  for (const [name, problem] of [
    ['good', null],
    ['slash', 'must equal the issuer that the provider states: '],
    ['slash/', null],
    ['good/', 'must equal the issuer'],
    ['liar', 'must equal the issuer'],
    ['inside', 'whose authorization_endpoint is an https URL'],
    ['hangs', 'did not answer'],
    ['huge', 'answered with more than 65536 bytes'],
    ['moved', 'has no discovery document'],
    ['text', 'has no discovery document'],
    ['nameless', 'is a document without an issuer'],
    ['absent', 'has no discovery document'],
    ['good?x', 'must be a URL without query'],
  ] as const) {
    const { status, body } = await create(content(name));
    expect(status, name).toEqual(problem === null ? 201 : 400);
    if (problem !== null) expect(body.message, name).toEqual(expect.stringContaining(problem));
  }
  for (const name of ['moc.evil\u202e', 'a\u200bb', ' Acme', 'a\nb'])
    expect((await create({ ...content(), name })).status, name).toBe(400);
  const inward = await create({ ...content(), issuer: 'http://10.0.0.1/x' });
  expect(inward.body.message).toContain('private or special-purpose range');
  await cleared();
});

it('K1: only owners and operators, in a session with a fresh proof; ids of another partner are unknown', async () => {
  const { id } = succeed(await create());
  const member = await cast.member(partner, may('*'));
  await expectStatus(403, create(content(), member.token));
  await expectStatus(403, service.get(`${all()}/${id}`, member.token));
  await expectStatus(403, service.get(all(), await cast.accessToken(owner, [acl('*')])));
  const other = await cast.partner();
  await cast.join(other, owner, { owner: true });
  await expectStatus(404, service.get(`${all(other)}/${id}`, owner.token));
  expect(pluck(succeed(await service.get(all(), owner.token)), 'id')).toEqual([id]);
  await service.sql(`update auth.session set proven_at = now() - interval '11 minutes' where user_id = $1`, [
    owner.id,
  ]);
  await expectCode('step_up_required', create());
  await expectStatus(200, service.get(`${all()}/${id}`, owner.token));
  await service.sql('update auth.session set proven_at = now() where user_id = $1', [owner.id]);
  await cleared();
});

it('K1: a secret is in no answer, log, audit row or column; Concord makes the key of private_key_jwt', async () => {
  const made = succeed(await create());
  succeed(await service.patch(`${all()}/${made.id}`, { client_secret: `${secret} 2` }, owner.token));
  expect(JSON.stringify(succeed(await service.get(all(), owner.token)))).not.toContain(secret);
  expect(service.logs.join('\n')).not.toContain(secret);
  const tables = (await everyTable(service)).join('\n');
  expect(tables).not.toContain(secret);
  expect(tables).not.toContain(Buffer.from(secret).toString('hex'));
  const { client_secret: _, ...rest } = content();
  const keyed = succeed(await create({ ...rest, authentication: 'private_key_jwt' }));
  expect(keyed.public_jwk).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', kid: expect.any(String) });
  expect(keyed.public_jwk).not.toHaveProperty('d');
  await expectStatus(400, create({ ...content(), authentication: 'private_key_jwt' }));
  await expectStatus(400, create(rest));
  const { client_id: clientId } = keyed;
  const changed = succeed(
    await service.patch(
      `${all()}/${keyed.id}`,
      { authentication: 'client_secret_post', client_secret: secret },
      owner.token,
    ),
  );
  expect([changed.public_jwk, changed.client_id]).toEqual([null, clientId]);
  await cleared();
});

it('K2: it is on only after a test of its present provider, and with a domain; another issuer turns it off', async () => {
  const { id } = succeed(await create());
  const put = (action: string) => service.put(`${all()}/${id}/${action}`, undefined, owner.token);
  expect((await put('enable')).body).toMatchObject({
    code: 'connection_not_ready',
    message: expect.stringContaining('Test'),
  });
  await markTested(id);
  expect((await put('enable')).body).toMatchObject({
    code: 'connection_not_ready',
    message: expect.stringContaining('domain'),
  });
  await addDomain(id);
  expect(succeed(await put('enable')).enabled).toBe(true);
  const patch = (body: object) => service.patch(`${all()}/${id}`, body, owner.token);
  expect(succeed(await patch({ client_secret: 'another one' })).enabled).toBe(true);
  const revision = async () =>
    (await service.sql('select revision from identity_connection where id = $1', [uuidOf(id)]))[0].revision;
  const before = await revision();
  await service.sql(
    `insert into session_proof (session_id, partner_id, connection_id, proved_at, subject)
     select id, $1, $2, now(), 's' from auth.session where user_id = $3`,
    [uuidOf(partner), uuidOf(id), owner.id],
  );
  const second = { issuer: `${origin}/second`, client_secret: secret };
  expect(succeed(await patch(second))).toMatchObject({
    enabled: false,
    tested_at: null,
  });
  expect(await revision()).toBe(before + 1);
  expect(await service.sql('select from session_proof')).toEqual([]);
  await expectCode('connection_not_ready', put('enable'));
  await cleared();
});

it('K2: a new issuer gets the client secret only from somebody who knows it', async () => {
  const { id } = succeed(await create());
  const keyed = succeed(
    await create({ ...content(), authentication: 'private_key_jwt', client_secret: undefined }),
  );
  const patch = (of: string, body: object) => service.patch(`${all()}/${of}`, body, owner.token);
  const second = { issuer: `${origin}/second` };
  await expectFault('/client_secret', patch(id, second));
  await expectFault('/client_secret', patch(id, { ...second, authentication: 'client_secret_post' }));
  expect(succeed(await patch(id, { issuer: `${origin}/good`, client_id: 'other' })).client_id).toBe('other');
  expect(succeed(await patch(id, { ...second, client_secret: secret })).issuer).toBe(second.issuer);
  expect(succeed(await patch(keyed.id, second)).public_jwk).toEqual(keyed.public_jwk);
  await cleared();
});

it('F2: a connection that stays as it is keeps its time', async () => {
  const made = succeed(await create());
  await markTested(made.id);
  await addDomain(made.id);
  const path = `${all()}/${made.id}`;
  const { name, issuer, terms } = made;
  const enabled = succeed(await service.put(`${path}/enable`, undefined, owner.token));
  expect(succeed(await service.put(`${path}/enable`, undefined, owner.token))).toEqual(enabled);
  expect(succeed(await service.patch(path, { name, issuer, terms }, owner.token))).toEqual(enabled);
  const renewed = succeed(await service.patch(path, { client_secret: secret }, owner.token));
  expect(renewed.updated_at > enabled.updated_at).toBe(true);
  const disabled = succeed(await service.put(`${path}/disable`, undefined, owner.token));
  expect(succeed(await service.put(`${path}/disable`, undefined, owner.token))).toEqual(disabled);
  await cleared();
});

it('K3: the last connection that is on stays while single sign-on is required', async () => {
  const { id } = succeed(await create());
  await markTested(id);
  await addDomain(id);
  succeed(await service.put(`${all()}/${id}/enable`, undefined, owner.token));
  await service.sql('update partner set sso_required = true where id = $1', [uuidOf(partner)]);
  const send = (method: string, path: string, body?: object) =>
    service.request(method, `${all()}/${id}${path}`, { body });
  for (const answer of [
    await send('PUT', '/disable'),
    await send('PATCH', '', { client_id: 'other' }),
    await send('DELETE', ''),
  ])
    expect([answer.status, answer.body.code]).toEqual([400, 'connection_needed']);
  const second = succeed(await service.post(all(), content())).id;
  await markTested(second);
  await addDomain(second);
  for (const action of ['enable', 'disable']) succeed(await service.put(`${all()}/${second}/${action}`));
  await expectStatus(204, service.remove(`${all()}/${second}`));
  await service.sql('update partner set sso_required = false where id = $1', [uuidOf(partner)]);
  expect(succeed(await send('PUT', '/disable')).enabled).toBe(false);
  succeed(await send('PUT', '/disable'));
  await expectStatus(204, send('DELETE', ''));
  const rows = await service.sql(`select action from audit_log where target = $1 order by position`, [id]);
  expect(rows.map(({ action }) => action)).toEqual([
    'connection.create',
    'connection.enable',
    'connection.disable',
    'connection.delete',
  ]);
});

it('K4: terms of new members are those that their setter may grant, and no others change', async () => {
  const others = succeed(await service.get(neighbour)).terms;
  expect(others.acl_permission_group_ids).toHaveLength(1);
  const group = await cast.group(partner, [acl('events')]);
  const terms = { acl_permission_group_ids: [group], days: 30, mfa_required: false };
  const made = succeed(await create({ ...content(), terms, admits_new_members: true }));
  expect(made).toMatchObject({ terms, admits_new_members: true });
  const ending = await cast.member(partner, {
    owner: true,
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await expectStatus(403, create({ ...content(), terms }, ending.token));
  await expectStatus(403, service.patch(`${all()}/${made.id}`, { admits_new_members: true }, ending.token));
  const by = () => service.sql('select terms_by from identity_connection where id = $1', [uuidOf(made.id)]);
  expect(await by()).toEqual([{ terms_by: owner.id }]);
  const stranger = { ...terms, acl_permission_group_ids: ['apg_01h2xcejqtf2nbrexx3vqjhp41'] };
  await expectFault('/terms/acl_permission_group_ids/0', create({ ...content(), terms: stranger }));
  expect(succeed(await service.get(neighbour)).terms).toEqual(others);
  await cleared();
});

it('K1: a partner has five connections at most, also when many are created at once', async () => {
  const made = await atOnce(8, () => create());
  expect(made.filter(({ status }) => status === 201)).toHaveLength(5);
  await cleared();
});
