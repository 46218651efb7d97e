// The deletion of a person: afterwards nothing in the database names them, but for what rule U13 keeps.
import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEncryption } from '../../src/base/secrets/index.ts';
import { expectStatus, may, pluck, succeed, useCast } from '../stage/cast.ts';
import { password } from '../stage/enrolment.ts';
import { hold, untilWaiting } from '../stage/locks.ts';
import { classified } from './columns.ts';

const secret = 's'.repeat(40);

const { service, cast } = useCast({
  CONCORD_SMTP_URL: 'smtp://127.0.0.1:1',
  CONCORD_RATE_LIMIT: '100000/10s',
  CONCORD_TRUSTED_PROXIES: '127.0.0.1',
  CONCORD_SECRETS: `1:${secret}`,
});

async function dump() {
  const tables = await service.sql(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'auth') and table_type = 'BASE TABLE' order by 1`,
  );
  const all: string[] = [];
  for (const { name } of tables as { name: string }[])
    for (const { row } of await service.sql(`select each::text as row from ${name} each`))
      all.push(`${name} ${row}`);
  return all;
}
/** The tables whose rows have the text, also in hexadecimal. */
const tablesWith = (text: string) => dump().then((rows) => tablesOf(rows, text));
function tablesOf(rows: readonly string[], text: string) {
  const forms = [
    text.toLowerCase(),
    Buffer.from(text).toString('hex'),
    Buffer.from(text.toLowerCase()).toString('hex'),
  ];
  const found = rows.filter((row) => forms.some((form) => row.toLowerCase().includes(form)));
  return [...new Set(found.map((row) => row.split(' ', 1)[0] ?? ''))];
}
async function waitingMails(to: string) {
  const encryption = createEncryption([{ version: 1, value: secret }], 'mail');
  const rows = (await service.sql('select id, sealed from mail order by id')) as {
    id: string;
    sealed: Buffer;
  }[];
  const mails = rows.map(
    ({ id, sealed }) => JSON.parse(encryption.decrypt(sealed, id)) as { to: string; subject: string },
  );
  return mails.filter((mail) => mail.to.toLowerCase() === to).map(({ subject }) => subject);
}

/** A person who has left traces everywhere. */
async function livePerson(number: number) {
  const [name, address] = [`Annelise ø. (Quist) ${number}`, `203.0.113.${number}`];
  const [earlier, email] = [`annelise.before${number}@concord.test`, `annelise.quist${number}@concord.test`];
  const spelled = `Annelise.Quist${number}@Concord.test`;
  const from = { 'x-forwarded-for': address };
  const { sql } = service.database;
  const [partner, other] = [await cast.partner(), await cast.partner()];
  const owner = await cast.owner(partner);
  const keyed = { 'idempotency-key': `key ${number}`.replace(' ', '-') };
  const path = `/partners/${partner}/agreements`;
  const invited = succeed(
    await service.request('POST', path, { body: { email: spelled }, token: owner.token, headers: keyed }),
  );
  const { id } = await service.signInStranger();
  await sql(`update auth."user" set email = $1, name = $2 where id = $3`, [earlier, name, id]);
  const send = (method: string, to: string, token: string | null, body?: object, headers = {}) =>
    service.request(method, to, { token, headers: { ...from, ...headers }, body });
  const link = async (purpose: string, change: (string | null)[]) => {
    const token = randomBytes(24).toString('base64url');
    await sql(
      `insert into auth.mail_link (token_hash, user_id, purpose, email, session_id, expires_at)
       values (sha256($1), $2, $3, $4, $5, now() + interval '1 hour')`,
      [token, id, purpose, ...change],
    );
    return token;
  };
  succeed(
    await send('POST', '/api/auth/verify-email', null, {
      token: await link('change_email', [email, 'another']),
      password,
    }),
  );
  await expectStatus(401, send('POST', '/api/auth/sign-in/email', null, { email, password: 'wrong' }));
  const { token } = succeed(await send('POST', '/api/auth/sign-in/email', null, { email, password }));
  succeed(await send('PATCH', `${path}/${invited.id}`, token, { accepted: true }));
  succeed(await cast.change(partner, invited.id, may('*')));
  succeed(await cast.invite(other, spelled));
  succeed(await send('POST', '/me/access-tokens', token, { name: `laptop of ${name}`, scopes: [] }));
  succeed(await send('POST', path, token, { email: `guest${number}@concord.test` }, keyed));
  const ban = { body: { reason: `${name} was rude` }, headers: keyed };
  succeed(await service.request('POST', `/users/${id}/ban`, ban));
  succeed(await service.post(`/users/${id}/unban`));
  succeed(await send('POST', '/api/auth/change-email', token, { newEmail: `later${number}@concord.test` }));
  const { token: stranger } = await service.signInStranger();
  succeed(await service.post('/api/auth/change-email', { newEmail: email }, stranger));
  succeed(await send('POST', '/api/auth/sign-up/email', null, { name, email, password }));
  await sql(
    `insert into auth.pending_sign_up (token_hash, email, name, password, expires_at) values (sha256($1), $2, $3, '', now() + interval '1 day')`,
    [token, email, name],
  );
  const failed = `select from audit_log join audit_person using (position) where target = $1 and outcome = 'failed' and part = 'address'`;
  await expect.poll(async () => (await sql(failed, [id])).length).toBe(1);
  return {
    id,
    name,
    address,
    email,
    earlier,
    token,
    partner,
    other,
    owner,
    keyed,
    path,
    spelled,
    send,
    link,
  };
}
type Leaving = Awaited<ReturnType<typeof livePerson>>;

describe.each([
  [
    'themselves',
    71,
    ({ send, token }: Leaving) => send('POST', '/api/auth/delete-user', token, { password }),
  ],
  ['an operator', 72, ({ id }: Leaving) => service.remove(`/users/${id}`)],
  [
    'a link',
    73,
    async ({ send, link }: Leaving) =>
      send('POST', '/api/auth/delete-user/confirm', null, { token: await link('delete_user', [null, null]) }),
  ],
] as const)('a person who is deleted by %s', (who, number, remove) => {
  it('U13: the whole database no longer has the addresses, the name and the network address of the person', async () => {
    const person = await livePerson(number);
    const traces = [person.email, person.earlier, person.name, person.address];
    const tables = async () => dump().then((rows) => traces.map((text) => tablesOf(rows, text)));
    const before = await tables();
    expect(before.map((tables) => tables.includes('public.audit_person'))).toEqual([true, true, true, true]);
    for (const table of ['agreement', 'idempotent_answer']) expect(before[0]).toContain(`public.${table}`);
    for (const table of ['invitation_token', 'mail_link', 'pending_sign_up'])
      expect(before[0]).toContain(`auth.${table}`);
    expect((await waitingMails(person.email)).length).toBeGreaterThan(2);

    succeed(await remove(person));

    expect(await tables()).toEqual([[], [], [], []]);
    expect(await waitingMails(person.email)).toEqual(
      who === 'an operator' ? [] : ['Your account was deleted'],
    );
    // The invitation of the other partner has ended, and its log does not say who was invited.
    const log = `/partners/${person.other}/audit-log?filter[action]=agreement.discard`;
    const [discarded] = succeed(await service.get(log));
    expect(discarded).toMatchObject({ actor: { kind: 'task' }, email: null });
    expect(JSON.stringify(discarded)).not.toContain(person.id);
    // A retry of the invitation repeats nothing, and gets an answer that names nobody.
    const body = { email: person.spelled };
    const { token } = person.owner;
    const again = await service.request('POST', person.path, { body, token, headers: person.keyed });
    expect([again.status, again.headers['idempotent-replayed'], again.body.user]).toEqual([
      201,
      'true',
      { email: '', name: null },
    ]);
  });
});

it('U13: operators who delete their own user leave no network address', async () => {
  const player = await cast.user();
  const token = await cast.appoint(player, true);
  const headers = { 'x-forwarded-for': '203.0.113.80' };
  succeed(await service.request('PATCH', '/me', { body: { name: 'Olga' }, token, headers }));
  expect(await tablesWith('203.0.113.80')).toContain('public.audit_person');
  succeed(await service.request('DELETE', `/users/${player.id}`, { token, headers }));
  expect(await tablesWith('203.0.113.80')).toEqual([]);
  const [record] = succeed(
    await service.get(`/audit-log?filter[action]=user.delete&filter[actor_id]=${player.id}`),
  );
  expect(record).toMatchObject({ target: player.id, actor: { kind: 'operator', address: null } });
});

it('U13: an earlier address that another user has by now stays with that user', async () => {
  const person = await livePerson(74);
  const heir = await cast.user();
  await cast.set(heir.id, { email: person.earlier });
  succeed(await cast.invite(person.other, person.earlier));
  succeed(await person.send('POST', '/api/auth/delete-user', person.token, { password }));
  expect(await tablesWith(person.earlier)).toEqual([
    'auth."user"',
    'auth.invitation_token',
    'public.agreement',
    'public.audit_person',
  ]);
  expect(await waitingMails(person.earlier)).not.toEqual([]);
});

it('U13: an address with a domain that is not ASCII is erased as it was written too', async () => {
  const person = await cast.user();
  await cast.set(person.id, { email: 'uma@xn--bcher-kva.example' });
  const [partner, spelled] = [await cast.partner(), 'Uma@bücher.example'];
  const path = `/partners/${partner}/agreements`;
  const headers = { 'idempotency-key': 'spelled' };
  const { id } = succeed(await service.request('POST', path, { body: { email: spelled }, headers }));
  // The invitation that spells it is gone, but its mail waits and its answer is kept.
  succeed(await service.remove(`${path}/${id}`, person.token));
  expect(await tablesWith(spelled)).toContain('public.idempotent_answer');
  expect(await waitingMails(spelled.toLowerCase())).toHaveLength(1);
  succeed(await service.remove(`/users/${person.id}`));
  expect(await tablesWith(spelled)).toEqual([]);
  expect(await waitingMails(spelled.toLowerCase())).toEqual([]);
});

it('U13: kept answers to others do not have an earlier name of the person', async () => {
  const partner = await cast.partner();
  const person = await cast.member(partner, may('*'), { name: 'Annelise Before' });
  const asker = await cast.member(partner);
  const path = `/partners/${partner}/access-requests`;
  const ask = { permissions: ['events.get'], duration_seconds: 3_600, reason: 'r' };
  const { id } = succeed(await service.post(path, ask, asker.token));
  const act = (verb: string, token: string) =>
    service.request('POST', `${path}/${id}/${verb}`, { token, headers: { 'idempotency-key': verb } });
  succeed(await act('approve', person.token));
  expect(succeed(await act('revoke', asker.token)).decided_by).toBe('Annelise Before');
  succeed(await service.patch('/me', { name: 'Annelise After' }, person.token));
  expect(await tablesWith('Annelise Before')).toContain('public.idempotent_answer');
  succeed(await service.remove(`/users/${person.id}`));
  expect(await tablesWith('Annelise Before')).toEqual([]);
});

it('U13: a person with many names and spellings is deleted although many answers to others are kept', async () => {
  const person = await cast.user({ name: 'Annelise Zero' });
  for (let n = 1; n <= 20; n++) succeed(await service.patch('/me', { name: `Annelise ${n}` }, person.token));
  for (let n = 0; n < 14; n++) {
    const email = person.email.slice(0, n).toUpperCase() + person.email.slice(n);
    await service.sql(
      `with made as (insert into partner (id, name) values (gen_random_uuid(), 'P') returning id)
       insert into agreement (id, partner_id, email, email_key, user_id, owner)
       select gen_random_uuid(), id, $1, $2, $3, false from made`,
      [email, person.email, person.id],
    );
  }
  await service.sql(
    `insert into idempotent_answer (principal_id, method, path, key, body_hash, names_person, status, headers, body)
     select 'another', 'POST', '/x', n, 'x', true, 201, '{}',
       '{"user":{"email":"' || case n when 1 then 'ANNELISE@x.example' else 'x' end || '","name":"' ||
         case n when 1 then 'Annelise 7' else 'Other ' || n end || '"},"filler":"' || repeat('x', 500) || '"}'
     from generate_series(1, 100000) n`,
  );
  onTestFinished(
    async () => void (await service.sql(`delete from idempotent_answer where principal_id = 'another'`)),
  );
  await expectStatus(204, service.remove(`/users/${person.id}`));
  const [kept] = await service.sql(
    `select body::json -> 'user' as person from idempotent_answer where key = '1'`,
  );
  expect(kept).toEqual({ person: { email: 'ANNELISE@x.example', name: '' } });
});

it('U14: a deletion erases many audit rows in steps, and nobody reads the values of the others meanwhile', async () => {
  const { id } = await cast.user();
  const { sql } = service.database;
  await sql(
    `with rows as (
       insert into audit_log (request_id, actor_kind, actor_id, credential, action, outcome, address_commitment)
       select n::text, 'person', $1, 'session s', 'account.sign_out', 'done', '\\x00' from generate_series(1, 11000) n returning position)
     insert into audit_person (position, part, subject, personal)
     select position, 'address', $1, '{"address": "203.0.113.99"}' from rows`,
    [id],
  );
  // The task waits until its row is free again.
  const erasing = 'erase personal values of deleted users';
  await service.pauseTask(erasing);
  succeed(await service.remove(`/users/${id}`));
  const left = async () => (await sql('select from audit_person where subject = $1', [id])).length;
  expect(await left()).toBe(6_000);
  const records = succeed(await service.get(`/audit-log?filter[actor_id]=${id}`));
  expect(records).toHaveLength(11_000);
  expect(
    records.every(
      (each: { actor: { address: string | null }; erased: boolean }) => !each.actor.address && each.erased,
    ),
  ).toBe(true);
  for (const expected of [1_000, 0]) {
    await service.runTask(erasing);
    await service.pauseTask(erasing);
    expect(await left()).toBe(expected);
  }
  // The id stays for a minute, for requests in flight.
  await service.advanceClock(61_000);
  await service.runTask(erasing);
  expect(await sql('select from audit_erasure')).toEqual([]);
});

it('U14: whoever has the address next does not read in an export what a task still has to erase', async () => {
  const [{ id, email }, next] = [await cast.user(), await cast.user()];
  await service.sql(
    `with rows as (
       insert into audit_log (request_id, actor_kind, actor_id, credential, action, outcome, person_commitment)
       select n::text, 'operator', 'usr_x', 'session s', 'agreement.create', 'done', '\\x00' from generate_series(1, 6000) n returning position)
     insert into audit_person (position, part, subject, personal)
     select position, 'person', $1, '{"name": "Earlier Person"}' from rows`,
    [email],
  );
  const erasing = 'erase personal values of deleted users';
  await service.pauseTask(erasing);
  succeed(await service.remove(`/users/${id}`));
  expect(await service.sql('select from audit_person where subject = $1', [email])).toHaveLength(1_000);
  await service.sql('update auth."user" set email = $2 where id = $1', [next.id, email]);
  const records = succeed(await service.get('/me/export', next.token)).audit_records;
  expect(JSON.stringify(records)).not.toContain('Earlier Person');
  await service.runTask(erasing);
});

it('U13: a request that ends after the deletion leaves no value either', async () => {
  const { sql } = service.database;
  const { id, email } = await cast.user();
  // The row of the refused sign-in waits for its count, which is held here until the user is deleted.
  const key = `failed-sign-in:${createHash('sha256').update(id).digest('base64url')}`;
  const holder = await hold(
    service.database,
    'insert into guard_count (key, requests, ends_at) values ($1, 1, concord_now())',
    [key],
  );
  const headers = { 'x-forwarded-for': '203.0.113.98' };
  const wrong = { token: null, body: { email, password: 'a wrong password' }, headers };
  await expectStatus(401, service.request('POST', '/api/auth/sign-in/email', wrong));
  await untilWaiting(service.database, 1, 'guard_count');
  succeed(await service.remove(`/users/${id}`));
  await service.runTask('erase personal values of deleted users');
  await holder.end();
  const failed = `select from audit_log where target = $1 and outcome = 'failed'`;
  await expect.poll(async () => (await sql(failed, [id])).length).toBe(1);
  await expect.poll(() => tablesWith('203.0.113.98')).toEqual([]);
});

it('U13: an invitation that is sent again at that moment leaves neither a mail nor a kept answer', async () => {
  const { sql } = service.database;
  const [person, partner] = [await cast.user(), await cast.partner()];
  const { id } = succeed(await cast.invite(partner, person.email));
  const { token } = await cast.owner(partner);
  // The request has locked the invitation, and waits here for its mail. A lock of the table would also hold
  // the sender of mails, whose retries would take every connection of the pool.
  await sql(`create function hold_mail() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(13); return new; end $$`);
  await sql('create trigger hold_mail before insert on mail for each row execute function hold_mail()');
  const holder = await hold(service.database, 'select pg_advisory_xact_lock(13)');
  const headers = { 'idempotency-key': 'again' };
  const sending = service.request('POST', `/partners/${partner}/agreements/${id}/resend`, { headers, token });
  await untilWaiting(service.database, 1, 'insert into mail');
  const deleting = service.remove(`/users/${person.id}`);
  await untilWaiting(service.database, 1, 'delete from agreement');
  await holder.end();
  [await sending, await deleting].map(succeed);
  await sql('drop function hold_mail cascade');
  expect(await waitingMails(person.email)).toEqual([]);
  expect(await tablesWith(person.email)).toEqual([]);
});

it('U13: each column with text, JSON or bytes says what the deletion of a person does to it', async () => {
  const columns = await service.sql(
    `select concat_ws('.', nullif(table_schema, 'public'), table_name, column_name) as name
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema in ('public', 'auth') and table_type = 'BASE TABLE' and table_name !~ '_(p?[0-9]{6,}|default)'
       and data_type in ('text', 'character varying', 'jsonb', 'json', 'bytea', 'ARRAY') and udt_name not in ('_uuid', '_int8')
     order by 1`,
  );
  const names = pluck(columns, 'name');
  expect(names.filter((name: string) => !(name in classified))).toEqual([]);
  expect(Object.keys(classified).filter((name) => !names.includes(name))).toEqual([]);
});
