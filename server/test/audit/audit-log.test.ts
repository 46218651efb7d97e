// Reading the audit log over HTTP.
import type { Sql } from 'sql-template-tag';
import { beforeAll, expect, it } from 'vitest';
import { type AuditFilter, createDenials, selectAuditRows, systemActor } from '../../src/audit/index.ts';
import { parseId } from '../../src/base/ids.ts';
import { acl, expectStatus, type Member, may, pluck, succeed, times, useCast } from '../stage/cast.ts';

let partner: string;
let owner: Member;
let invited: string;
let requestId: string;
const { service, cast } = useCast();
beforeAll(async () => {
  partner = await cast.partner();
  owner = await cast.owner(partner);
  invited = succeed(await send('POST', '/agreements', { email: 'ann@concord.test' })).id;
  const changed = await send('PATCH', `/agreements/${invited}`, { mfa_required: true });
  requestId = String(changed.headers['x-request-id']);
  succeed(await send('PATCH', '', { website: 'https://a.example', billing_email: 'bill@concord.test' }));
});

const send = (method: string, path: string, body?: object, token = owner.token) =>
  service.request(method, `/partners/${partner}${path}`, { token, body });
const read = async (query = '', token = owner.token) =>
  succeed(await send('GET', `/audit-log${query}`, undefined, token));

it('U9: a record says who did what, with which credential, from where, and each member before and after', async () => {
  const [update] = await read(`?filter[target]=${invited}&filter[action]=agreement.update`);
  const sessions = await service.get('/api/auth/list-sessions', owner.token);
  const { id: session } = sessions.body.find(({ current }: { current: boolean }) => current);
  expect(update).toMatchObject({
    partner_id: partner,
    actor: { kind: 'person', id: owner.id, address: '127.0.0.1' },
    credential: { kind: 'session', id: session },
    request_id: requestId,
    outcome: 'done',
    changes: { mfa_required: { before: false, after: true } },
    email: 'ann@concord.test',
    erased: false,
  });
  expect(Object.keys(update.changes)).toEqual(['mfa_required']);
  const [{ changes }] = await read(`?filter[target]=${partner}&filter[action]=partner.update`);
  expect(changes).toEqual({
    website: { before: null, after: 'https://a.example' },
    billing_email: { before: null, after: 'bill@concord.test' },
  });
});

it('U9: the kind of actor is that of the moment of the change', async () => {
  const account = succeed(await send('POST', '/service-accounts', { name: 'robot' }));
  const tokens = `/service-accounts/${account.id}/access-tokens`;
  const { id, token } = succeed(await send('POST', tokens, { name: 't', scopes: [acl('partner')] }));
  await send('PATCH', `/agreements/${account.agreement_id}`, may('partner'));
  succeed(await send('PATCH', '', { website: 'https://robot.example' }, token));
  succeed(await send('PATCH', '', { website: 'https://operator.example' }, service.operatorToken));
  const [byOperator, byRobot] = await read(`?filter[action]=partner.update`);
  expect([byOperator.actor.kind, byRobot.actor.kind, byRobot.credential]).toEqual([
    'operator',
    'service_account',
    { kind: 'token', id },
  ]);
  expect(JSON.stringify(await read('?filter[action]=access_token.create'))).not.toContain(token);
});

it('U9: filters select by actor, action, target, outcome and time; unknown filters are 400', async () => {
  const member = await cast.member(partner);
  await send('DELETE', '', undefined, member.token);
  await expect.poll(async () => (await read('?filter[outcome]=denied')).length).toBe(1);
  expect(await read(`?filter[actor_id]=${member.id}&filter[outcome]=denied`)).toMatchObject([
    { action: 'partner.delete' },
  ]);
  const all = await read();
  const { at } = all[2];
  expect(await read(`?filter[at]=..${at}`)).toEqual(all.filter((each: { at: string }) => each.at < at));
  expect(await read(`?filter[at]=${at}..`)).toEqual(all.filter((each: { at: string }) => each.at >= at));
  for (const query of [
    '?filter[at]=now',
    '?filter[at]=..2026-02-29T00:00:00Z',
    '?filter[outcome]=x',
    '?filter[name]=x',
    '?sort_by=at',
    `?page_from=${partner}`,
  ])
    expect((await send('GET', `/audit-log${query}`)).status, query).toBe(400);
});

it('U9: lists have the newest record first, in pages without gaps or repetitions while rows are added', async () => {
  const all = await read();
  const ids = pluck(all, 'id');
  expect(ids).toEqual(ids.toSorted().reverse());
  const seen: string[] = [];
  for (let path: string | undefined = '/audit-log?page_size=3'; path; ) {
    const page = await send('GET', path);
    seen.push(...pluck(succeed(page), 'id'));
    path = /<\/partners\/[^/]+([^>]+)>/.exec(String(page.headers.link ?? ''))?.[1];
    succeed(await send('PATCH', '', { website: `https://${seen.length}.example` }));
  }
  expect(seen).toEqual(ids);
  expect(await read(`?sort_dir=asc&page_from=${ids.at(-1)}&page_size=2`)).toEqual(
    all.toReversed().slice(1, 3),
  );
  expect(await read(`?page_from=aud_7zzzzzzzzzzzzzzzzzzzzzzzzz&page_size=1`)).toHaveLength(1);
});

it('U9: with Accept: application/x-ndjson the answer is a stream of lines', async () => {
  await service.sql(
    `insert into audit_log (request_id, actor_kind, actor_id, credential, partner_id, action, outcome)
     select 'r', 'task', 'system', 'task t', partner_id, 'partner.update', 'done' from audit_log, generate_series(1, 1200)
     where target = $1 and action = 'agreement.update'`,
    [invited],
  );
  const path = `/partners/${partner}/audit-log`;
  const asLines = { token: owner.token, headers: { accept: 'application/x-ndjson' } };
  const { text, headers } = await service.request('GET', path, asLines);
  expect(headers['content-type']).toBe('application/x-ndjson');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.length).toBeGreaterThan(1_200);
  const json = await read();
  expect(lines).toEqual(json);
  for (const refused of ['application/x-ndjson;q=0', '*/*, application/X-NDJSON ; q=0.00']) {
    const answer = await service.request('GET', path, { token: owner.token, headers: { accept: refused } });
    expect(answer.headers['content-type'], refused).toBe('application/json');
  }
  const page = await service.request('GET', `${path}?page_size=3`, asLines);
  expect(page.headers['content-type']).toBe('application/x-ndjson');
  expect(page.text).toBe(text.split('\n').slice(0, 3).join('\n').concat('\n'));
});

it('U9: partners see their own records only; operators see all', async () => {
  const other = await cast.partner();
  const otherOwner = await cast.owner(other);
  await expectStatus(404, send('GET', '/audit-log', undefined, otherOwner.token));
  const all = succeed(await service.get('/audit-log?page_size=1000&sort_dir=asc'));
  const partners = new Set(pluck<string | null>(all, 'partner_id'));
  expect([partners.has(null), partners.has(partner)]).toEqual([true, true]);
  await expectStatus(403, service.get('/audit-log', owner.token));
});

it('U1: a minute later, attempts that were denied are recorded again', async () => {
  const db = service.database.open();
  let at = Date.now();
  const denials = createDenials({ db, onFailure: (error) => expect.fail(String(error)), nowMs: () => at });
  const actor = { ...systemActor('denied'), userId: 'usr_denied' };
  const attempt = () => denials.record({ actor, partnerId: null, action: 'partner.delete', target: null });
  times(12, attempt);
  at += 60_000;
  attempt();
  await denials.settle();
  await db.close();
  expect(await service.sql(`select from audit_log where actor_id = 'usr_denied'`)).toHaveLength(11);
});

it('U9: a filter reads no records of other partners or actors, however common what it asks for is', async () => {
  const { sql } = service.database;
  const [partnerId, other] = [parseId('partner', partner), parseId('partner', await cast.partner('Other'))];
  await sql(
    `insert into audit_log (request_id, actor_kind, actor_id, credential, partner_id, action, target, outcome)
    select '', 'person', 'usr_' || n % 2, 'session', case n % 2 when 0 then $1 else $2 end::uuid, 'action.' || n % 2, 'whe_' || n % 2, 'done'
    from generate_series(1, 10000) n`,
    [partnerId, other],
  );
  await sql('analyze audit_log');
  const indexOf = async (filter: AuditFilter) => {
    let plan = '';
    const query = async ({ text, values }: Sql) => {
      plan = JSON.stringify(await sql(`explain ${text}`, values));
      return [];
    };
    await selectAuditRows({ query, write: async () => {} }, filter, {
      after: null,
      descending: true,
      limit: 10,
    });
    return /using (audit_log_\w+) on audit_log/.exec(plan)?.[1];
  };
  const within = { partnerId: String(partnerId) };
  expect(await indexOf({ ...within, action: 'action.1' })).toBe('audit_log_partner');
  expect(await indexOf({ ...within, actorId: 'usr_1' })).toBe('audit_log_partner_actor');
  expect(await indexOf({ ...within, target: 'whe_1', action: 'action.1' })).toBe('audit_log_partner_target');
});

it("U16: filters of a partner's log by actor, target and address read no records of other partners", async () => {
  const { sql } = service.database;
  const [partnerId, other] = [parseId('partner', partner), parseId('partner', await cast.partner('Other'))];
  await sql(
    `with recorded as (
      insert into audit_log (request_id, actor_kind, actor_id, credential, partner_id, action, target, outcome)
      select '', 'person', 'usr_busy', 'session', case n % 1000 when 0 then $1 else $2 end::uuid, 'busy', 'usr_seen', 'done'
      from generate_series(1, 10000) n returning position, partner_id)
    insert into audit_person (position, partner_id, part, subject, personal)
    select position, partner_id, part, subject, jsonb_build_object('email', subject || '@concord.test')
    from recorded, (values ('address', 'usr_busy'), ('person', 'usr_seen')) known (part, subject)`,
    [partnerId, other],
  );
  await sql('analyze audit_log, audit_person');
  const readBy = async (filter: AuditFilter) => {
    let most = 0;
    const visit = (node: Plan) => {
      const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
      most = Math.max(most, (node['Actual Rows'] + removed) * node['Actual Loops']);
      for (const child of node.Plans ?? []) visit(child);
    };
    const query = async ({ text, values }: Sql) => {
      const [row] = await sql(`explain (analyze, format json) ${text}`, values);
      visit(row['QUERY PLAN'][0].Plan);
      return [];
    };
    const page = { after: null, descending: true, limit: 10 };
    await selectAuditRows(
      { query, write: async () => {} },
      { ...filter, partnerId: String(partnerId) },
      page,
    );
    return most;
  };
  const [actorEmail, targetEmail] = ['usr_busy@concord.test', 'usr_seen@concord.test'];
  for (const filter of [
    { actorId: 'usr_busy' },
    { target: 'usr_seen' },
    { actorEmail },
    { targetEmail },
    {
      actorEmail,
      targetEmail,
      actorId: 'usr_busy',
      target: 'usr_seen',
      outcome: 'done',
      hidesOperators: true,
    },
  ])
    expect(await readBy(filter), JSON.stringify(filter)).toBe(10);
});

type Plan = {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Plan[];
};
