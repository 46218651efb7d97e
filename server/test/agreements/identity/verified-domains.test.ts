// Domains: the record that proves them, partners that want the same one, and records that are gone.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import {
  atOnce,
  expectCode,
  expectFault,
  expectStatus,
  type Player,
  statusesOf,
  succeed,
  useCast,
  uuidOf,
} from '../../stage/cast.ts';
import { startDnsServer } from '../../stage/dns-server.ts';
import { commit, hold, stopAt, untilWaiting } from '../../stage/locks.ts';
import { useMailbox } from '../../stage/mailbox.ts';

const dns = await startDnsServer();
afterAll(dns.close);
const mailbox = useMailbox();
const { service, cast } = useCast(() => ({
  CONCORD_DNS_SERVERS: dns.address,
  CONCORD_SMTP_URL: mailbox.url,
}));

type Place = { partner: string; owner: Player; all: string };
async function place(): Promise<Place> {
  const partner = await cast.partner();
  const owner = await cast.owner(partner);
  await mailbox.next(owner.email);
  const id = newId('identity_connection');
  await service.sql(
    `insert into identity_connection (id, partner_id, name, issuer, client_id, authentication, secret)
     values ($1, $2, 'Directory', 'https://login.example', 'c', 'client_secret_basic', '')`,
    [uuidOf(id), uuidOf(partner)],
  );
  return { partner, owner, all: `/partners/${partner}/connections/${id}/domains` };
}
const add = ({ all, owner }: Place, domain: string) => service.post(all, { domain }, owner.token);
const verify = ({ all, owner }: Place, { id }: { id: string }) =>
  service.post(`${all}/${id}/verify`, undefined, owner.token);
const read = async ({ all, owner }: Place, { id }: { id: string }) =>
  succeed(await service.get(`${all}/${id}`, owner.token));
const publish = (...domains: { record: { name: string; value: string } }[]) => {
  for (const { record } of domains) dns.records.set(record.name, []);
  for (const { record } of domains) dns.records.get(record.name)?.push(record.value);
};
const someDomain = () => `${randomUUID()}.example`;
const nextMail = async ({ owner }: Place) => (await mailbox.next(owner.email)).subject;

it('K6: a domain is pending until its record proves it, and the last check says what was found', async () => {
  const here = await place();
  const domain = succeed(await add(here, someDomain()));
  expect(domain).toMatchObject({ status: 'pending', last_check: null });
  expect(succeed(await verify(here, domain))).toMatchObject({ status: 'pending', last_check: 'missing' });
  dns.records.set(domain.record.name, ['another record', `${domain.record.value}x`]);
  expect(succeed(await verify(here, domain))).toMatchObject({ status: 'pending', last_check: 'missing' });
  dns.state.fails = true;
  expect(succeed(await verify(here, domain))).toMatchObject({ status: 'pending', last_check: 'failed' });
  dns.state.fails = false;
  publish(domain);
  const verified = succeed(await verify(here, domain));
  expect(verified).toMatchObject({ status: 'verified', last_check: 'found' });
  dns.state.fails = true;
  expect(succeed(await verify(here, domain))).toEqual({ ...verified, last_check: 'failed' });
  dns.state.fails = false;
  expect(succeed(await verify(here, domain))).toMatchObject({ status: 'verified', last_check: 'found' });
});

it('C1, C2: a domain has its tag in each answer, and verifying and deleting it honour If-Match', async () => {
  const here = await place();
  const added = await service.post(here.all, { domain: someDomain() }, here.owner.token);
  const one = `${here.all}/${added.body.id}`;
  const send = (method: string, at: string, headers: Record<string, string>) =>
    service.request(method, at, { headers, token: here.owner.token });
  const tagNow = async () => String((await service.get(one, here.owner.token)).headers.etag);
  const old = { 'if-match': await tagNow() };
  expect(added.headers.etag).toBe(old['if-match']);
  const key = { 'idempotency-key': 'once' };
  const verified = await send('POST', `${one}/verify`, { ...old, ...key });
  expect([verified.status, verified.headers.etag]).toEqual([200, await tagNow()]);
  publish(added.body);
  expect((await send('POST', `${one}/verify`, { ...old, ...key })).body).toEqual(verified.body);
  await expectStatus(412, send('POST', `${one}/verify`, old));
  await expectStatus(412, send('DELETE', one, old));
  await expectStatus(204, send('DELETE', one, { 'if-match': await tagNow() }));
});

it('K5: case, a final dot and script make no other domain; IP addresses and single labels are refused', async () => {
  const here = await place();
  for (const [text, stored] of [
    ['Nordlys-A.EXAMPLE.', 'nordlys-a.example'],
    ['blåbær.example', 'xn--blbr-roah.example'],
    ['ｎordlys-b.example', 'nordlys-b.example'],
  ] as const)
    expect(succeed(await add(here, text)).domain, text).toEqual(stored);
  await expectFault('/domain', add(here, 'nordlys-a.example'));
  for (const text of [
    'example',
    '127.0.0.1',
    '[::1]',
    'a..example',
    '',
    'a b.example',
    '-a.example',
    'a@b.example',
    'a.example/x',
  ])
    expect((await add(here, text)).status, text).toBe(400);
});

it('K6: one partner has a domain at a time, also when two verify it at once', async () => {
  const [one, two] = [await place(), await place()];
  const name = someDomain();
  const [first, second] = [succeed(await add(one, name)), succeed(await add(two, name.toUpperCase()))];
  publish(first, second);
  const answers = await Promise.all([verify(one, first), verify(two, second)]);
  expect(statusesOf(answers)).toEqual([200, 400]);
  expect(answers.find(({ status }) => status === 400)?.body.code).toBe('domain_taken');
});

it('K6: a domain moves when only the record of the new partner is there, and the former owners get a mail', async () => {
  const [one, two] = [await place(), await place()];
  const name = someDomain();
  const [first, second] = [succeed(await add(one, name)), succeed(await add(two, name))];
  publish(first);
  succeed(await verify(one, first));
  publish(first, second);
  await expectCode('domain_taken', verify(two, second));
  publish(second);
  expect(succeed(await verify(two, second)).status).toBe('verified');
  const rows = await service.sql(
    `select action from audit_log where target in ($1, $2) and action <> 'domain.create' order by position`,
    [first.id, second.id],
  );
  expect(rows.map(({ action }) => action)).toEqual(['domain.verify', 'domain.release', 'domain.verify']);
  // The former partner does not learn who is an owner of the other one.
  const log = succeed(await service.get(`/partners/${one.partner}/audit-log`, one.owner.token));
  expect(JSON.stringify(log)).toContain('domain.release');
  expect(JSON.stringify(log)).not.toContain(two.owner.email);
  expect((await read(one, first)).status).toBe('pending');
  expect(await nextMail(one)).toBe(`${name} is no longer verified`);
  const revision = `select revision from identity_connection where partner_id = $1`;
  expect(await service.sql(revision, [uuidOf(one.partner)])).toEqual([{ revision: 2 }]);
});

/** The record of the first partner is there, and that of the second is not yet. */
async function twoPlaces() {
  const [one, two] = [await place(), await place()];
  const name = someDomain();
  const [first, second] = [succeed(await add(one, name)), succeed(await add(two, name))];
  publish(first);
  return { one, two, first, second };
}

it('K6: an answer of the DNS from before another partner proved the domain does not take it from that partner', async () => {
  const { one, two, first, second } = await twoPlaces();
  const lock = 'select from identity_domain where id = $1 for update';
  const holder = await hold(service.database, lock, [uuidOf(first.id)]);
  const late = verify(one, first);
  await untilWaiting(service.database, 1);
  publish(second);
  expect(succeed(await verify(two, second)).status).toBe('verified');
  await commit(holder);
  await expectCode('domain_taken', late);
  expect((await read(two, second)).status).toBe('verified');
});

it('K6: a domain also moves from a partner that verifies it at that moment, when only the new record is there', async () => {
  const { one, two, first, second } = await twoPlaces();
  const when = "new.action = 'domain.verify'";
  const stop = await stopAt(service.database, { table: 'audit_log', event: 'insert', when });
  const early = verify(one, first);
  await stop.reached();
  publish(second);
  const late = verify(two, second);
  await untilWaiting(service.database, 2);
  await stop.release();
  expect(succeed(await early).status).toBe('verified');
  expect(succeed(await late).status).toBe('verified');
  expect((await read(one, first)).status).toBe('pending');
});

it('K6, K7: a domain moves also when the check of the former partner asks later, and misses the record', async () => {
  const { one, two, first, second } = await twoPlaces();
  succeed(await verify(one, first));
  publish(second);
  const due = `update identity_domain set checked_at = now() - interval '2 days' where id = $1`;
  await service.sql(due, [uuidOf(first.id)]);
  const lock = 'select from identity_domain where id = $1 for update';
  const holder = await hold(service.database, lock, [uuidOf(second.id)]);
  const moved = verify(two, second);
  await untilWaiting(service.database, 1);
  await service.runTask('check domains');
  expect((await read(one, first)).status).toBe('lost');
  await commit(holder);
  expect(succeed(await moved).status).toBe('verified');
});

it('K6, K8: a domain moves from a connection that is deleted at that moment', async () => {
  const [one, two] = [await place(), await place()];
  const name = someDomain();
  const [first, second] = [succeed(await add(one, name)), succeed(await add(two, name))];
  publish(first);
  succeed(await verify(one, first));
  publish(second);
  const partner = uuidOf(one.partner);
  const lock = 'select from identity_connection where partner_id = $1 for update';
  const deletion = await hold(service.database, lock, [partner]);
  const verified = verify(two, second);
  await untilWaiting(service.database, 1);
  await deletion.query('select from identity_domain where partner_id = $1 for update nowait', [partner]);
  await deletion.query('delete from identity_connection where partner_id = $1', [partner]);
  await commit(deletion);
  expect(succeed(await verified).status).toBe('verified');
});

it('K7: a domain is lost when its record is missing, the owners get one mail, and a week later it is no longer verified', async () => {
  const here = await place();
  const domain = succeed(await add(here, someDomain()));
  publish(domain);
  succeed(await verify(here, domain));
  const day = async (days: number) => {
    await service.advanceClock(days * 86_400_000 + 60_000);
    await service.runTask('check domains');
    return (await read(here, domain)).status;
  };
  expect(await day(1)).toBe('verified');
  dns.state.mute = true;
  expect(await day(2)).toBe('verified');
  expect((await read(here, domain)).last_check).toBe('failed');
  dns.state.mute = false;
  dns.records.delete(domain.record.name);
  expect(await day(3)).toBe('lost');
  expect(await day(4)).toBe('lost');
  expect(await nextMail(here)).toBe(`${domain.domain} is not proved any more`);
  publish(domain);
  expect(await day(5)).toBe('verified');
  dns.records.delete(domain.record.name);
  expect(await day(6)).toBe('lost');
  expect(await day(12)).toBe('lost');
  expect(await day(13.1)).toBe('pending');
  // Lost for the second time, and gone: one mail each.
  expect([await nextMail(here), await nextMail(here)]).toEqual([
    `${domain.domain} is not proved any more`,
    `${domain.domain} is no longer verified`,
  ]);
  await service.advanceClock(0);
});

it('K7: an owner who asks again does not put off the daily check', async () => {
  const here = await place();
  const domain = succeed(await add(here, someDomain()));
  publish(domain);
  succeed(await verify(here, domain));
  dns.records.delete(domain.record.name);
  await service.advanceClock(80_000_000);
  // The session needs a recent proof.
  await service.sql(`update auth.session set proven_at = concord_now()`);
  expect(succeed(await verify(here, domain))).toMatchObject({ status: 'verified', last_check: 'missing' });
  await service.advanceClock(90_000_000);
  await service.runTask('check domains');
  expect((await read(here, domain)).status).toBe('lost');
  await service.advanceClock(0);
});

it('K7: the run after one that has its fill begins at once, so that each domain is asked for once a day', async () => {
  const { partner } = await place();
  await service.sql(
    `insert into identity_domain (id, partner_id, connection_id, domain, proof, verified_at, checked_at)
     select gen_random_uuid(), partner_id, id, 'many' || n || '.example', 'proof', now(), now() - interval '2 days'
     from identity_connection, generate_series(1, 21) n where partner_id = $1`,
    [uuidOf(partner)],
  );
  await service.runTask('check domains');
  await service.runDue('check domains');
  const unasked = `select from identity_domain where domain like 'many%' and checked_at < now() - interval '1 day'`;
  expect(await service.sql(unasked)).toEqual([]);
});

/** The record of the domain is missing for more than 7 days, and the check is due. */
async function placeOfLost() {
  const here = await place();
  const { id } = succeed(await add(here, someDomain()));
  await service.sql(
    `update identity_domain set verified_at = now() - interval '9 days', lost_at = now() - interval '8 days',
       checked_at = now() - interval '2 days' where id = $1`,
    [uuidOf(id)],
  );
  return { here, id, partner: uuidOf(here.partner) };
}

it('K7: an owner who deletes a domain does not wait for the DNS that the daily check asks', async () => {
  await service.pauseTask('check domains');
  const { here, id } = await placeOfLost();
  const { promise, resolve } = Promise.withResolvers<void>();
  dns.state.gate = promise;
  const before = dns.state.asked;
  const checked = service.runTask('check domains');
  await expect.poll(() => dns.state.asked).toBeGreaterThan(before);
  const deleted = service.remove(`${here.all}/${id}`, here.owner.token);
  const first = await Promise.race([deleted.then(() => 'deletion'), checked.then(() => 'check')]);
  resolve();
  await Promise.all([checked, expectStatus(204, deleted)]);
  expect(first).toBe('deletion');
});

it('K7, K8: the daily check waits for the deletion of a connection without a lock that the deletion needs', async () => {
  const { here, partner } = await placeOfLost();
  const lock = 'select from identity_connection where partner_id = $1 for update';
  const deletion = await hold(service.database, lock, [partner]);
  const checked = service.runTask('check domains');
  await untilWaiting(service.database, 1);
  await deletion.query('select from identity_domain where partner_id = $1 for update nowait', [partner]);
  await deletion.query('delete from identity_connection where partner_id = $1', [partner]);
  await commit(deletion);
  await checked;
  const log = await service.get(`/partners/${here.partner}/audit-log`, here.owner.token);
  expect(JSON.stringify(succeed(log))).not.toContain('domain.release');
});

it('K5, K8: a connection has 20 domains at most; domains of another connection are unknown', async () => {
  const [here, other] = [await place(), await place()];
  const made = await atOnce(22, () => add(here, someDomain()));
  expect(made.filter(({ status }) => status === 201)).toHaveLength(20);
  const [{ id }] = succeed(await service.get(here.all, here.owner.token));
  await expectStatus(404, service.get(`${other.all}/${id}`, other.owner.token));
  await expectStatus(204, service.remove(`${here.all}/${id}`, here.owner.token));
  await expectStatus(204, service.remove(here.all.replace('/domains', ''), here.owner.token));
  expect(
    await service.sql('select from identity_domain where partner_id = $1', [uuidOf(here.partner)]),
  ).toEqual([]);
});
