// Seals of the audit log, and the command that verifies the log against them.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSealKeys, verifyLog } from '../../src/audit/index.ts';
import { type Cast, createCast, succeed } from '../stage/cast.ts';
import { newDataDir, runCommand } from '../stage/launch.ts';
import { secrets, startTestService, type TestService } from '../stage/start-service.ts';

let service: TestService;
let cast: Cast;
beforeEach(async () => {
  service = await startTestService({ CONCORD_AUDIT_RETENTION: '30d' });
  cast = createCast(service);
});
afterEach(() => service.stop());

const sql: TestService['database']['sql'] = (text, values) => service.sql(text, values);

/** Seals every row, also when the service's own timer comes first. */
async function seal() {
  for (let tries = 0; tries < 100; tries++) {
    if ((await sql('select from audit_unsealed')).length === 0) return;
    await sql(`update scheduled_task set next_at = '-infinity' where name = 'seal the audit log'`);
    await service.runDue('seal the audit log');
  }
  throw new Error('Rows stay without a seal');
}

function verify(...args: string[]) {
  const environment = {
    DATABASE_URL: service.database.url,
    CONCORD_DATA_DIR: newDataDir(),
    CONCORD_SECRETS: secrets,
  };
  return runCommand(environment, ['audit', 'verify', ...args]);
}
/** The lines that name a row or a seal. */
const findingsOf = (lines: string[]) => lines.filter((line) => /^(row|seal|no seal) /.test(line));

/** A statement of somebody who may do everything in the database. */
async function tamper(statement: string, values: unknown[] = []) {
  const tables = ['audit_log', 'audit_seal'];
  for (const table of tables) await sql(`alter table ${table} disable trigger user`);
  await sql(statement, values);
  for (const table of tables) await sql(`alter table ${table} enable trigger user`);
}

it('U6: verify names rows that were changed, deleted, inserted and swapped', async () => {
  const partner = await cast.partner();
  for (let i = 0; i < 8; i++) succeed(await service.patch(`/partners/${partner}`, { website: `w${i}` }));
  await seal();
  const clean = await verify();
  expect([clean.code, clean.lines.at(-1)]).toEqual([0, 'The audit log is as it was written.']);
  const rows = await sql(`select position from audit_log where action = 'partner.update' order by position`);
  const [changed, deleted, a, b, personal, attributed, hidden] = rows.map(({ position }) => position);

  await tamper(`update audit_log set actor_id = 'usr_someone' where position = $1`, [changed]);
  await tamper('delete from audit_log where position = $1', [deleted]);
  await tamper(
    `update audit_log set (changes, request_id, at, address_commitment, person_commitment) =
       (select changes, request_id, at, address_commitment, person_commitment from audit_log other where other.position = $1 + $2 - audit_log.position)
     where position in ($1, $2)`,
    [a, b],
  );
  await tamper(`update audit_person set personal = '{"address":"192.0.2.9"}' where position = $1`, [
    personal,
  ]);
  await tamper(`update audit_person set subject = 'usr_someone' where position = $1`, [attributed]);
  // A filter of the partner's log would not find it any more.
  await tamper('update audit_person set partner_id = null where position = $1', [hidden]);
  const [{ position: inserted }] = await sql(
    `insert into audit_log (request_id, actor_kind, actor_id, credential, action, outcome)
     values ('r', 'person', 'usr_x', 'session s', 'partner.delete', 'done') returning position`,
  );
  const least = '-9223372036854775808';
  await sql(
    `insert into audit_log (position, request_id, actor_kind, actor_id, credential, action, outcome) overriding system value
     values ($1, 'r', 'person', 'usr_x', 'session s', 'partner.delete', 'done')`,
    [least],
  );
  // Its row was deleted before it had a seal.
  await sql('insert into audit_unsealed (position) values (9000000)');
  await service.runTask('seal the audit log');
  const { code, lines } = await verify();
  expect([code, findingsOf(lines).sort()]).toEqual([
    1,
    [
      'row 9000000: missing, and it was not sealed yet',
      `row ${least}: inserted, no seal covers it`,
      `row ${inserted}: inserted, no seal covers it`,
      `row ${changed}: changed`,
      `row ${deleted}: missing`,
      `row ${a}: its personal values were changed`,
      `row ${b}: its personal values were changed`,
      `row ${a}: swapped, it has the content of row ${b}`,
      `row ${b}: swapped, it has the content of row ${a}`,
      `row ${personal}: its personal values were changed`,
      `row ${attributed}: its personal values were changed`,
      `row ${hidden}: its personal values were changed`,
    ].sort(),
  ]);
});

it('U6: every column of a row is sealed', async () => {
  await cast.partner();
  await seal();
  const columns = await sql(
    `select column_name as name, data_type as type from information_schema.columns where table_name = 'audit_log' and column_name <> 'position'`,
  );
  expect(columns.length).toBe(13);
  const other: Record<string, string> = {
    'timestamp with time zone': `'2001-01-01'`,
    uuid: 'gen_random_uuid()',
    jsonb: `'{"other": true}'`,
    bytea: `'\\x00'`,
  };
  const values: Record<string, string> = { outcome: `'failed'`, actor_kind: `'nobody'` };
  const [{ position }] = await sql('select max(position) as position from audit_log');
  for (const { name, type } of columns) {
    const [{ before }] = await sql(`select ${name}::text as before from audit_log where position = $1`, [
      position,
    ]);
    await tamper(
      `update audit_log set ${name} = ${values[name] ?? other[type] ?? `'other'`} where position = $1`,
      [position],
    );
    const { findings } = await check();
    expect(findings, name).toEqual(expect.arrayContaining([`row ${position}: changed`]));
    await tamper(`update audit_log set ${name} = $2::${type} where position = $1`, [position, before]);
  }
  await tamper(
    `update audit_log set at = (to_char(at, 'YYYY-MM-DD HH24:MI:SS.MSOF') || ' BC')::timestamptz where position = $1`,
    [position],
  );
  expect((await check()).findings).toEqual([`row ${position}: changed`]);
  await tamper(`update audit_log set at = (left(at::text, -3))::timestamptz where position = $1`, [position]);
  expect((await check()).findings).toEqual([]);
});

it('U6: verify names a broken and a missing seal, and a tail that was cut', async () => {
  await seal();
  const heads: string[] = [];
  for (let i = 0; i < 4; i++) {
    await cast.partner();
    await seal();
    heads.push((await check()).head ?? '');
  }
  const [last, middle] = await sql('select id, positions from audit_seal order by id desc limit 2');
  expect((await check(heads[1])).findings).toEqual([]);
  expect((await check(undefined, 2)).findings).toContain(
    `seal ${last.id}: version 1 of the secrets is not configured`,
  );

  // The tail: the last seal with its rows. Only the head that somebody has kept shows it.
  await tamper('delete from audit_log where position = any ($1)', [last.positions]);
  expect((await check()).findings).toEqual(
    last.positions.map((position: string) => `row ${position}: missing`),
  );
  await tamper('delete from audit_seal where id = $1', [last.id]);
  expect((await check()).findings).toEqual([]);
  const cut = await verify(`--expect=${heads[3]}`);
  expect([cut.code, findingsOf(cut.lines)]).toEqual([
    1,
    [`no seal has the expected MAC ${heads[3]}: the end of the log was cut`],
  ]);

  const first = BigInt(middle.id) - 2n;
  await tamper(`update audit_seal set sealed_at = sealed_at - interval '1 day' where id = $1`, [middle.id]);
  await tamper('delete from audit_seal where id = $1', [String(first)]);
  const { findings } = await check();
  expect(findings).toEqual(expect.arrayContaining([`seal ${first}: missing`, `seal ${middle.id}: broken`]));
});

it('U6: verify names a seal whose values no seal can have', async () => {
  await cast.partner();
  await seal();
  const [{ id }] = await sql('select max(id) as id from audit_seal');
  const impossible = [
    `sealed_at = 'infinity'`,
    `dropped_at = 'infinity', dropped_mac = mac`,
    `positions[1] = null`,
    'positions = array[positions, positions], row_macs = row_macs || row_macs',
  ];
  for (const change of impossible) {
    const [{ before }] = await sql('select to_jsonb(audit_seal) as before from audit_seal where id = $1', [
      id,
    ]);
    await tamper(`update audit_seal set ${change} where id = $1`, [id]);
    expect((await check()).findings, change).toEqual(expect.arrayContaining([`seal ${id}: broken`]));
    await tamper('delete from audit_seal where id = $1', [id]);
    await tamper('insert into audit_seal select * from jsonb_populate_record(null::audit_seal, $1)', [
      before,
    ]);
  }
  expect((await check()).findings).toEqual([]);
});

it('U6: rows whose seals were changed or removed are not sealed again by a process that knows these seals', async () => {
  await cast.partner();
  await seal();
  await cast.partner();
  await seal();
  const [{ id, position }] = await sql(
    'select id, positions[1] as position from audit_seal order by id desc limit 1',
  );
  await tamper(`update audit_log set actor_id = 'usr_someone' where position = $1`, [position]);
  await tamper('update audit_seal set mac = sha256(mac) where id = $1', [id]);
  await sql('insert into audit_unsealed select position from audit_log where position >= $1', [position]);
  await expect(seal()).rejects.toThrow('Rows stay without a seal');
  await tamper('delete from audit_seal where id = $1', [id]);
  await expect(seal()).rejects.toThrow('Rows stay without a seal');
  const { head, waiting, waitingSince } = await check();
  const [last] = await sql(`select id, encode(mac, 'hex') as mac from audit_seal order by id desc limit 1`);
  expect([head, BigInt(last.id) < BigInt(id), waiting > 0, waitingSince instanceof Date]).toEqual([
    last.mac,
    true,
    true,
    true,
  ]);
});

it('U6: verify counts rows that were sealed long after they were written', async () => {
  await cast.partner();
  await seal();
  expect((await check()).late).toBe(0);
  await write('2 hours');
  await seal();
  const { findings, late } = await check();
  expect([findings, late]).toEqual([[], 1]);
});

/** What the command finds, in this process. */
async function check(expected?: string, version = 1) {
  const db = service.database.open();
  const keys = createSealKeys([{ version, value: 's'.repeat(40) }]);
  return verifyLog({ db, keys, expected, progress: () => {} }).finally(() => db.close());
}

it('U7: erasing the personal values of a person keeps the chain valid', async () => {
  const member = await cast.user();
  const partner = await cast.partner();
  await cast.join(partner, member);
  await seal();
  expect(JSON.stringify(await sql('select personal, subject from audit_person'))).toContain(member.email);
  succeed(await service.remove(`/users/${member.id}`));
  await seal();
  expect(JSON.stringify(await sql('select personal, subject from audit_person'))).not.toContain(member.email);
  expect(JSON.stringify(await sql('select * from audit_log'))).not.toContain(member.email);
  const { findings, erased } = await check();
  expect(findings).toEqual([]);
  expect(erased).toBeGreaterThan(1);
});

it('U8: the retention drops the rows of old seals, keeps the seals, and nobody else can', async () => {
  const old = await cast.partner();
  await seal();
  await service.advanceClock(31 * 86_400_000);
  const late = await write();
  await seal();
  const refused = 'the audit log is append-only';
  await sql(`select set_config('concord.dropped_seal', (select max(id) from audit_seal)::text, false)`);
  await expect(sql('delete from audit_log')).rejects.toThrow(refused);
  await service.runTask('drop old audit rows');
  const kept = await sql('select target, position from audit_log');
  expect([kept.some(({ target }) => target === old), kept.some(({ position }) => position === late)]).toEqual(
    [false, true],
  );
  const { findings, dropped, rows } = await check();
  expect([findings, dropped > 0, rows]).toEqual([[], true, kept.length]);
  await expect(sql('delete from audit_log')).rejects.toThrow(refused);
  await expect(sql('delete from audit_seal')).rejects.toThrow('a seal of the audit log is final');

  // A position of a dropped row cannot have a row again.
  const forged = `insert into audit_log (position, request_id, actor_kind, actor_id, credential, action, outcome)
    overriding system value select positions[1], 'r', 'person', 'usr_x', 'session s', 'partner.delete', 'done'
    from audit_seal where dropped_at is not null order by id limit 1 returning position`;
  const [{ position }] = await sql(forged);
  expect((await check()).findings).toEqual([
    `row ${position}: inserted, the retention dropped the row of this position`,
  ]);
  await tamper('delete from audit_log where position = $1', [position]);

  // Without the key, nobody can make a deletion look like the retention.
  const [last] = await sql('select id, positions from audit_seal order by id desc limit 1');
  await tamper('delete from audit_log where position = any ($1)', [last.positions]);
  await tamper(`update audit_seal set dropped_at = now(), dropped_mac = '\\x00' where id = $1`, [last.id]);
  expect((await check()).findings).toEqual([
    `seal ${last.id}: its rows are missing, and the retention did not drop them`,
  ]);
});

it('U8: the retention drops rows up to a seal that somebody made older, and keeps its rows', async () => {
  await cast.partner();
  await seal();
  await service.pauseTask('drop old audit rows');
  await service.advanceClock(31 * 86_400_000);
  const position = await write();
  await seal();
  await tamper(`update audit_seal set sealed_at = '2001-01-01' where $1 = any (positions)`, [position]);
  for (let runs = 0; runs < 2; runs++) await drop();
  expect((await check()).dropped).toBeGreaterThan(0);
  expect(await sql('select from audit_log where position = $1', [position])).toHaveLength(1);
});

it('U8: the retention drops seals as fast as they are made', async () => {
  const perMinute = 60;
  for (let i = 0; i < perMinute / 2; i++) {
    await write();
    await seal();
  }
  await service.advanceClock(31 * 86_400_000);
  await drop();
  const count = async () =>
    (await sql('select count(*)::int as dropped from audit_seal where dropped_at is not null'))[0].dropped;
  const dropped = await count();
  const [{ interval }] = await sql(
    `select extract(epoch from next_at - concord_now())::float as interval from scheduled_task where name = 'drop old audit rows'`,
  );
  expect((dropped * 60) / Math.max(interval, 1)).toBeGreaterThanOrEqual(perMinute);
  await drop();
  expect(await count()).toBeGreaterThanOrEqual(perMinute / 2);
});

/** Writes a row with its place in the queue, as a forger can too. */
async function write(age = '0'): Promise<string> {
  const [{ position }] = await sql(
    `with written as (
       insert into audit_log (at, request_id, actor_kind, actor_id, credential, action, outcome)
       values (concord_now() - $1::interval, 'r', 'person', 'usr_x', 'session s', 'partner.update', 'done') returning position)
     insert into audit_unsealed select position from written returning position`,
    [age],
  );
  return position;
}

async function drop() {
  await sql(`update scheduled_task set next_at = '-infinity' where name = 'drop old audit rows'`);
  await service.runDue('drop old audit rows');
}
