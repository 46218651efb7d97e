// Joining a partner by its connection, on the terms that an owner has set.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { joinByConnection } from '../../../src/agreements/identity/connections/new-members.ts';
import { systemActor } from '../../../src/audit/index.ts';
import { formatId } from '../../../src/base/ids.ts';
import type { Database } from '../../../src/base/postgres/database.ts';
import { acl, type Member, succeed, useCast, uuidOf } from '../../stage/cast.ts';
import { newEmail } from '../../stage/start-service.ts';

const { service, cast } = useCast();
let db: Database;
let partner: string;
let owner: Member;
let connectionId: string;
let mails: string[];

beforeAll(() => {
  db = service.database.open();
});
afterAll(() => db.close());

beforeEach(async () => {
  partner = await cast.partner();
  owner = await cast.owner(partner);
  // Another one, so that the first can lose the ownership.
  await cast.owner(partner);
  connectionId = randomUUID();
  mails = [];
  await service.sql(
    `insert into identity_connection (id, partner_id, name, issuer, client_id, authentication, secret,
       admits_new_members, new_member_days, terms_by)
     values ($1, $2, 'Directory', 'https://login.example', 'c', 'client_secret_basic', '', true, 30, $3)`,
    [connectionId, uuidOf(partner), owner.id],
  );
});

const set = (what: string) =>
  service.sql(`update identity_connection set ${what} where id = $1`, [connectionId]);

async function addGroup(permissions: object[]) {
  const id = await cast.group(partner, permissions);
  const [partnerId, groupId] = [uuidOf(partner), uuidOf(id)];
  await service.sql(
    'insert into identity_connection_group (connection_id, partner_id, group_id, account_id, position) values ($1, $2, $3, $2, 1)',
    [connectionId, partnerId, groupId],
  );
}

async function join(
  person: { id: string | null; email: string },
  by: 'sign_in' | 'provisioning' = 'sign_in',
) {
  const told = {
    baseUrl: service.url,
    enqueueMail: async (_tx: unknown, { to }: { to: string }) => void mails.push(to),
  };
  const { email, id: userId } = person;
  const actor = systemActor('a test');
  return db.transaction((tx) =>
    joinByConnection(tx, told, { connectionId, email, emailKey: email, userId, groupIds: [], by, actor }),
  );
}
const refusal = async (person: { id: string | null; email: string }) =>
  join(person).then(
    () => null,
    ({ code }) => code,
  );
const nobody = () => ({ id: null, email: newEmail() });

it('K14: a new member gets the groups, the end and the second factor of the terms, and never owns', async () => {
  await addGroup([acl('partner', 'get')]);
  await set('new_member_mfa_required = true');
  const person = await cast.user();
  const row = await join(person);
  expect(row).toMatchObject({ user_id: person.id, owner: false, mfa_required: true, state: 'active' });
  expect(row?.groups).toHaveLength(1);
  expect(Math.round((Number(row?.expires_at) - Date.now()) / 86_400_000)).toBe(30);
  const [{ details }] = await service.sql(
    `select details from audit_log where action = 'agreement.create' and details ? 'connection'`,
  );
  expect(details).toMatchObject({ by: 'sign_in', terms_by: owner.id });
});

it('K14: whoever set the terms must be able to grant them now; owners learn of it once a day', async () => {
  expect(await refusal(nobody())).toBeNull();
  for (const [change, undo] of [
    ['owner = false', 'owner = true'],
    [`expires_at = now() + interval '29 days'`, 'expires_at = null'],
    [`expires_at = now() - interval '1 second'`, 'expires_at = null'],
  ] as const) {
    const id = uuidOf(owner.agreement);
    await service.sql(`update agreement set ${change} where id = $1`, [id]);
    await addGroup([acl('partner', 'get')]).catch(() => {});
    expect(await refusal(nobody())).toBe('membership_refused');
    await service.sql(`update agreement set ${undo} where id = $1`, [id]);
  }
  await cast.set(owner.id, { banned: true });
  expect(await refusal(nobody())).toBe('membership_refused');
  expect(mails).toHaveLength(1);
  await set('terms_by = null');
  expect(await refusal(nobody())).toBe('membership_refused');
  await service.sql(`update guard_count set ends_at = now() where key like 'new-members-refused:%'`);
  expect(await refusal(nobody())).toBe('membership_refused');
  expect(mails).toHaveLength(2);
});

it('K14: where the connection admits nobody, a sign-in makes no agreement and accepts what provisioning made', async () => {
  await set('admits_new_members = false');
  const person = await cast.user();
  expect(await refusal(person)).toBe('membership_refused');
  const pending = await join({ id: null, email: person.email }, 'provisioning');
  expect(pending).toMatchObject({ user_id: null, state: 'pending' });
  await service.sql(`update agreement set invitation_expires_at = now() - interval '1 day' where id = $1`, [
    pending?.item_id,
  ]);
  expect(await join(person)).toMatchObject({ item_id: pending?.item_id, user_id: person.id });
});

it('K14: an agreement of the connection that has ended is replaced; any other one stays', async () => {
  const person = await cast.user();
  const first = await join(person);
  expect(await join(person)).toBeNull();
  await service.sql(`update agreement set expires_at = now() - interval '1 second' where id = $1`, [
    first?.item_id,
  ]);
  expect((await join(person))?.item_id).not.toBe(first?.item_id);
  for (const expiry of ['null', `now() - interval '1 second'`]) {
    const invited = nobody();
    const { id } = succeed(await cast.invite(partner, invited.email));
    await service.sql(`update agreement set expires_at = ${expiry} where id = $1`, [uuidOf(id)]);
    expect(await join(invited)).toBeNull();
    expect(await join({ ...(await cast.user()), email: invited.email })).toBeNull();
  }
});

it('K14: the ended agreements of the address and of the user are replaced, and the new one requires what each required', async () => {
  const person = await cast.user();
  const renamed = { ...person, email: newEmail() };
  const [first, second] = [await join(person), await join({ ...renamed, id: null }, 'provisioning')];
  await service.sql(
    `update agreement set expires_at = now() - interval '1 second', mfa_required = id = $1, sso_required = id = $2 where id in ($1, $2)`,
    [first?.item_id, second?.item_id],
  );
  expect(await join(renamed)).toMatchObject({ state: 'active', mfa_required: true, sso_required: true });
});

it('A37: whose agreement a review ended does not join again', async () => {
  const person = await cast.user();
  const agreement = await join(person);
  succeed(await service.put(`/partners/${partner}/access-review-policy`, { interval_days: 90 }));
  await service.runTask('run access reviews');
  const reviews = `/partners/${partner}/access-reviews`;
  const [{ id }] = succeed(await service.get(reviews));
  const item = formatId('agreement', String(agreement?.item_id));
  succeed(await service.post(`${reviews}/${id}/items/${item}/end`));
  expect(await join(person)).toBeNull();
});
