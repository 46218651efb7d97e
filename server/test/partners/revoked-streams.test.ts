// Streamed lists of callers who lose their access while they read.
import { beforeAll, expect, it } from 'vitest';
import { acl, type Member, may, succeed, useCast, uuidOf } from '../stage/cast.ts';
import { isWhole, openAnswer } from '../stage/slow-reader.ts';

let partner: string;
const { service, cast } = useCast();
beforeAll(async () => {
  partner = await cast.partner();
  // Far more than sockets hold: the service has to wait for the client.
  await service.sql(
    `insert into audit_log (request_id, actor_kind, actor_id, credential, partner_id, action, outcome, details)
     select 'r', 'task', 'system', 'task t', partner_id, 'partner.update', 'done', jsonb_build_object('text', repeat('x', 8000))
     from audit_log, generate_series(1, 2500) where target = $1 and action = 'partner.create'`,
    [partner],
  );
});

const open = (path: string, token: string, headers: Record<string, string>) =>
  openAnswer(service.url + path, { ...headers, authorization: `Bearer ${token}` });
const json = { accept: 'application/json' };
const ndjson = { accept: 'application/x-ndjson' };

const losses: [string, Record<string, string>, (reader: Member) => Promise<unknown>, boolean][] = [
  ['keeps the access', ndjson, async () => {}, true],
  [
    'loses the agreement',
    ndjson,
    async ({ agreement }) =>
      succeed(await service.remove(`/partners/${partner}/agreements/${agreement}?orphan=true`)),
    false,
  ],
  [
    'loses the proof of an identity provider (K10)',
    ndjson,
    async ({ agreement }) =>
      service.sql('update agreement set sso_required = true where id = $1', [uuidOf(agreement)]),
    false,
  ],
  [
    'is banned',
    json,
    async ({ id }) => succeed(await service.post(`/users/${id}/ban?orphan=true`, {})),
    false,
  ],
  [
    'loses the session',
    json,
    async ({ id }) => succeed(await service.remove(`/users/${id}/sessions`)),
    false,
  ],
];
it.each(losses)('T5, Q1: a stream of a caller who %s meanwhile', async (_case, headers, lose, whole) => {
  const reader = await cast.owner(partner);
  const answer = await open(`/partners/${partner}/audit-log?sort_dir=asc`, reader.token, headers);
  await lose(reader);
  expect([answer.statusCode, await isWhole(answer)]).toEqual([200, whole]);
});

const lists: [string, string][] = [
  ['whose agreements end', `expires_at = now() - interval '1 second'`],
  ['who lacks the proof of an identity provider (K10)', 'sso_required = true'],
];
it.each(lists)('Q1: the list of partners of a member %s ends', async (_case, change) => {
  const reader = await cast.user();
  await service.sql(
    `insert into partner (id, name, description)
     select gen_random_uuid(), 'Many', repeat('😀', 2000) from generate_series(1, 2500)
     where not exists (select from partner where name = 'Many')`,
  );
  await service.sql(
    `insert into agreement (id, partner_id, email, email_key, user_id, owner, acl_permissions)
     select gen_random_uuid(), id, $2, $2, $1, false, $3 from partner where name = 'Many'`,
    [reader.id, reader.email, JSON.stringify([acl('*')])],
  );
  // The database knows how many there are, as it does of rows that came one by one.
  await service.sql('analyze partner, agreement');
  const answer = await open('/partners?filter[name]=Many', reader.token, json);
  await service.sql(`update agreement set ${change} where user_id = $1`, [reader.id]);
  let read = 0;
  answer.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  await isWhole(answer);
  expect(answer.statusCode).toBe(200);
  expect(read).toBeLessThan(2_500 * 8_000);
});

it('A34, Q1: the list of access requests of others ends when agreements.query is lost', async () => {
  const asker = await cast.member(partner);
  await service.sql(
    `insert into access_request (id, partner_id, agreement_id, user_id, permissions, duration_seconds, reason, state, settled_at)
     select gen_random_uuid(), $1, $2, $3, array['events.query'], 600, repeat('😀', 500), 'withdrawn', now() from generate_series(1, 6000)`,
    [uuidOf(partner), uuidOf(asker.agreement), asker.id],
  );
  const reader = await cast.member(partner, may('agreements', 'query'));
  const answer = await open(`/partners/${partner}/access-requests`, reader.token, json);
  succeed(await cast.change(partner, reader.agreement, { acl_permissions: [] }));
  let read = 0;
  answer.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  await isWhole(answer);
  expect(read).toBeLessThan(6_000 * 2_000);
});
