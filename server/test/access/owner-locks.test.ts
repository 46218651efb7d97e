// Rule A7 with transactions opened by hand: the database itself protects the last owner.
import { expect, it } from 'vitest';
import { useCast } from '../stage/cast.ts';
import { hold, untilWaiting } from '../stage/locks.ts';

const { service, cast } = useCast();
const remove = 'delete from agreement where user_id = $1';
const ban = 'update auth."user" set banned = true where id = $1';

/** The second statement waits for the transaction of the first one, and is refused when that commits. */
async function expectRefusal(first: [string, string], second: [string, string], meanwhile = async () => {}) {
  const [holder, other] = [
    await hold(service.database, first[0], [first[1]]),
    await service.database.connect(),
  ];
  await meanwhile();
  const refused = expect(other.query(second[0], [second[1]])).rejects.toMatchObject({ code: 'CC002' });
  await untilWaiting(service.database, 1);
  await holder.query('commit');
  await refused;
  await Promise.all([holder.end(), other.end()]);
}

it.each([
  ['delete an agreement of an owner each', remove, remove],
  ['delete one owner and ban the other', 'delete from auth."user" where id = $1', ban],
])(
  'A7: when two transactions %s, the second waits for the first and is refused',
  async (_what, first, second) => {
    const partner = await cast.partner();
    const one = await cast.owner(partner);
    const two = await cast.owner(partner);
    await expectRefusal([first, one.id], [second, two.id]);
  },
);

it('A7: an owner whose ban is not committed yet does not count as a remaining owner', async () => {
  const partner = await cast.partner();
  const [owner, next] = [await cast.owner(partner), await cast.member(partner)];
  await expectRefusal([ban, next.id], [remove, owner.id], async () => {
    await service.sql('update agreement set owner = true where user_id = $1', [next.id]);
  });
});

it('A3: the database refuses an agreement with a group of another partner', async () => {
  const [partner, other] = [await cast.partner(), await cast.partner()];
  await cast.member(partner);
  await cast.group(other, [], 'g');
  const insert = service.sql(
    `insert into agreement_group (agreement_id, partner_id, group_id, account_id, position)
     select agreement.id, agreement.partner_id, g.id, g.account_id, 1 from agreement, permission_group g
     where g.name = 'g' and agreement.id = (select id from agreement order by id desc limit 1)`,
  );
  await expect(insert).rejects.toMatchObject({ code: '23514' });
});
