// Operators list deleted partners.
import { expect, it } from 'vitest';
import { acl, expectStatus, succeed, useCast, uuidOf } from '../stage/cast.ts';

const { service, cast } = useCast();

const list = (query = '', token = service.operatorToken) =>
  service.get(`/platform/deleted-partners${query}`, token);
const namesOf = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name);
const days = (count: number) => `${count * 24} hours`;

async function deleted(name: string): Promise<string> {
  const id = await cast.partner(name);
  succeed(await service.remove(`/partners/${id}`));
  return id;
}
const age = (id: string, by: string) =>
  service.sql('update partner set deleted_at = deleted_at - $2::interval where id = $1', [uuidOf(id), by]);

it('P6: operators list deleted partners until they can no longer be restored', async () => {
  await cast.partner('there');
  const id = await deleted('gone');
  const [{ deleted_at }] = await service.sql('select deleted_at from partner where id = $1', [uuidOf(id)]);
  const restorable_until = new Date(deleted_at.getTime() + 30 * 24 * 60 * 60_000).toISOString();
  const { body, headers } = await list();
  expect(body).toEqual([{ id, name: 'gone', deleted_at: deleted_at.toISOString(), restorable_until }]);
  expect(headers['total-count']).toBe('1');

  // The list and the restore agree up to the last moment.
  await service.setClock(new Date().toISOString());
  const restore = () => service.post(`/partners/${id}/restore`);
  const leave = (left: string) =>
    service.sql(
      `update partner set deleted_at = concord_now() - interval '720 hours' + $2::interval where id = $1`,
      [uuidOf(id), left],
    );
  await leave('1 millisecond');
  expect(namesOf(await list())).toEqual(['gone']);
  await expectStatus(200, restore());
  expect((await list()).body).toEqual([]);
  await leave('0 seconds');
  expect((await list()).body).toEqual([]);
  await expectStatus(404, restore());
  await service.advanceClock(0);
});

it('P6: the list has pages, an order and a filter by name', async () => {
  const names = ['Mill', 'anvil', 'Mill 100%', 'Forge'];
  for (const [index, name] of names.entries()) await age(await deleted(name), days(index));
  expect(namesOf(await list())).toEqual(names);
  expect(namesOf(await list('?sort_by=deleted_at'))).toEqual(names.toReversed());
  expect(namesOf(await list('?filter[name]=MILL'))).toEqual(['Mill', 'Mill 100%']);
  expect(namesOf(await list('?filter[name]=%25'))).toEqual(['Mill 100%']);
  await expectStatus(400, list('?filter[vat_no]=1'));
  const walked: string[] = [];
  for (let path: string | undefined = '?sort_by=name&page_size=1'; path !== undefined; ) {
    const page = await list(path);
    expect(page.headers['total-count']).toBe('4');
    walked.push(...namesOf(page));
    path = /^<\/platform\/deleted-partners([^>]*)>/.exec(String(page.headers.link ?? ''))?.[1];
  }
  expect(walked.toSorted()).toEqual(names.toSorted());
  expect(walked).toEqual(namesOf(await list('?sort_by=name')));
});

it('P6: only operators read it; an access token needs partner.query', async () => {
  const player = await cast.user();
  const owner = await cast.member(await cast.partner(), { owner: true });
  const operator = { ...player, token: await cast.appoint(player) };
  const codeOf = async (token: string) => (await list('', token)).body.code ?? 'ok';
  expect([await codeOf(owner.token), await codeOf(operator.token)]).toEqual(['forbidden', 'ok']);
  expect(await codeOf(await cast.accessToken(operator, [acl('partner', 'query')]))).toBe('ok');
  expect(await codeOf(await cast.accessToken(operator, [acl('partner', 'get', 'post')]))).toBe('forbidden');
});
