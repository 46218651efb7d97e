// Rule A7 with transactions opened by hand: the database itself protects the last owner.
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { createCast } from './cast.ts';
import { untilWaiting } from './locks.ts';
import { useService } from './start-service.ts';

const clients: Client[] = [];
const service = useService();
const cast = createCast(service);
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
});

/** A connection with an open transaction. */
async function begin(): Promise<Client> {
  const client = new Client({ connectionString: service.database.url });
  clients.push(client);
  await client.connect();
  await client.query('begin');
  return client;
}
const remove = (by: Client, user: string) => by.query('delete from agreement where user_id = $1', [user]);

it('A7: when two transactions each delete an owner, the second waits for the first and is refused', async () => {
  const partner = await cast.partner();
  const [one, two] = [
    await cast.member(partner, { owner: true }),
    await cast.member(partner, { owner: true }),
  ];
  const [first, second] = [await begin(), await begin()];
  await remove(first, one.id);
  const refused = expect(remove(second, two.id)).rejects.toMatchObject({ code: 'CC002' });
  await untilWaiting(service.database, 1);
  await first.query('commit');
  await refused;
});

it('A7: an owner whose ban is not committed yet does not count as a remaining owner', async () => {
  const partner = await cast.partner();
  const [owner, next] = [await cast.member(partner, { owner: true }), await cast.member(partner)];
  const [banning, removing] = [await begin(), await begin()];
  await banning.query('update auth."user" set banned = true where id = $1', [next.id]);
  await service.sql('update agreement set owner = true where user_id = $1', [next.id]);
  const refused = expect(remove(removing, owner.id)).rejects.toMatchObject({ code: 'CC002' });
  await untilWaiting(service.database, 1);
  await banning.query('commit');
  await refused;
});

it('A7: deleting one owner and banning the other run one at a time', async () => {
  const partner = await cast.partner();
  const [one, two] = [
    await cast.member(partner, { owner: true }),
    await cast.member(partner, { owner: true }),
  ];
  const [deleting, banning] = [await begin(), await begin()];
  await deleting.query('delete from auth."user" where id = $1', [one.id]);
  const ban = banning.query('update auth."user" set banned = true where id = $1', [two.id]);
  const refused = expect(ban).rejects.toMatchObject({ code: 'CC002' });
  await untilWaiting(service.database, 1);
  await deleting.query('commit');
  await refused;
});

it('A3: the database refuses an agreement with a group of another partner', async () => {
  const [partner, other] = [await cast.partner(), await cast.partner()];
  await cast.member(partner);
  await service.post(`/partners/${other}/acl-permission-groups`, { name: 'g', acl_permissions: [] });
  const insert = service.sql(
    `insert into agreement_group (agreement_id, partner_id, group_id, account_id, position)
     select agreement.id, agreement.partner_id, g.id, g.account_id, 1 from agreement, permission_group g
     where g.name = 'g' and agreement.id = (select id from agreement order by id desc limit 1)`,
  );
  await expect(insert).rejects.toMatchObject({ code: '23514' });
});
