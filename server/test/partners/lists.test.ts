// The list of partners: rules Q; paging loses no partner and repeats none.
import { beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, pluck } from '../stage/cast.ts';
import { useService } from '../stage/start-service.ts';

const total = 1_234;

const service = useService();
beforeAll(async () => {
  // Names repeat, so that pages break between equal sort values.
  await service.sql(
    `insert into partner (id, name, vat_no, created_at, updated_at)
     select gen_random_uuid(), 'name ' || (n % 7), 'NO' || n, t, t
     from generate_series(1, $1) n, lateral (select '2026-01-01T00:00:00Z'::timestamptz + (n / 5) * interval '1 second' as t)`,
    [total],
  );
});

const list = (query = '', token = service.operatorToken) => service.get(`/partners${query}`, token);

async function walk(query: string) {
  const items = [];
  for (let path: string | undefined = `/partners?${query}`; path !== undefined; ) {
    const { body, headers, status } = await service.get(path);
    expect([status, headers['total-count']]).toEqual([200, String(total)]);
    items.push(...body);
    const next = /^<(\/[^>]*)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1];
    if (headers.link !== undefined) expect(next).toBeDefined();
    path = next;
  }
  return items;
}

describe('lists', () => {
  it('Q1: a request without paging parameters returns the whole list, newest last', async () => {
    const { body, headers } = await list();
    expect(body).toHaveLength(total);
    expect(headers['total-count']).toBe(String(total));
    expect(headers.link).toBeUndefined();
    const ids = pluck(body, 'id');
    expect(ids).toEqual([...ids].sort());
  });

  it.each(['id', 'name', 'created_at', 'updated_at'])(
    'Q1: pages sorted by %s list each partner once, both ways',
    async (by) => {
      for (const direction of ['asc', 'desc']) {
        const items = await walk(`sort_by=${by}&sort_dir=${direction}&page_size=100`);
        expect(new Set(items.map(({ id }) => id)).size).toBe(total);
        expect(items).toHaveLength(total);
        const keys = items.map((item) => `${item[by]} ${item.id}`);
        const sorted = [...keys].sort();
        expect(keys).toEqual(direction === 'asc' ? sorted : sorted.reverse());
        expect((await list(`?sort_by=${by}&sort_dir=${direction}`)).body).toEqual(items);
      }
    },
  );

  it('Q1: page_size is between 1 and 1000, and the last page has no Link', async () => {
    expect((await list('?page_size=1')).body).toHaveLength(1);
    const { body, headers } = await list('?page_size=1000');
    expect([body.length, typeof headers.link]).toEqual([1000, 'string']);
  });

  it('Q1: a cursor from a list with another order is 400', async () => {
    const { headers } = await list('?page_size=1&sort_by=name');
    const cursor = /page_from=([^&>]+)/.exec(String(headers.link))?.[1];
    await expectStatus(200, list(`?page_from=${cursor}&sort_by=name`));
    await expectStatus(400, list(`?page_from=${cursor}`));
    await expectStatus(400, list(`?page_from=${cursor}&sort_by=name&sort_dir=desc`));
    const id = 'ptr_01h2xcejqtf2nbrexx3vqjhp41';
    const forged = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    for (const parts of [
      ['created_at', 'asc', 'x', 'y'],
      ...[
        '2026-99-99T00:00:00.000Z',
        '0000-01-01T00:00:00.000Z',
        '+010000-01-01T00:00:00.000Z',
        '-000001-01-01T00:00:00.000Z',
        'x 1',
      ].map((moment) => ['created_at', 'asc', moment, id]),
      ['created_at', 'asc', null, id],
      {},
      7,
    ]) {
      await expectStatus(400, list(`?sort_by=created_at&page_from=${forged(parts)}`));
    }
    await expectStatus(400, list(`?sort_by=name&page_from=${forged(['name', 'asc', '\0', id])}`));
  });

  it('P5: filters ignore case and treat wildcards as text', async () => {
    expect((await list('?filter[name]=NAME%203')).body).toHaveLength(
      (await service.sql(`select from partner where name = 'name 3'`)).length,
    );
    const { body, headers } = await list('?filter[vat_no]=no1234');
    expect([body.length, headers['total-count']]).toEqual([1, '1']);
    for (const wild of ['%25', '_', '%5C']) expect((await list(`?filter[name]=${wild}`)).body).toEqual([]);
    expect(
      (await list('?filter[name]=name%203&filter[vat_no]=NO10&page_size=5')).body.length,
    ).toBeGreaterThan(0);
  });

  it('P5: a caller who cannot see any partner gets an empty list', async () => {
    const { status, body, headers } = await list('', (await service.signInStranger()).token);
    expect([status, body, headers['total-count']]).toEqual([200, [], '0']);
  });
});
