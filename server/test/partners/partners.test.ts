// Partners over HTTP (docs/interface.md 4.1).
import { describe, expect, it } from 'vitest';
import { textNames } from '../../src/partners/columns.ts';
import { atOnce, expectCode, expectStatus, statusesOf, times } from '../stage/cast.ts';
import { useService } from '../stage/start-service.ts';

const service = useService();

async function createPartner(body: object = { name: 'Acme' }) {
  const { status, body: partner } = await service.post('/partners', body);
  expect(status).toBe(201);
  return partner;
}
const patch = (id: string, body: unknown, headers = {}) =>
  service.request('PATCH', `/partners/${id}`, { body, headers });
const get = (id: string, headers = {}) => service.request('GET', `/partners/${id}`, { headers });
const noAddress = {
  street: null,
  postal_code: null,
  city: null,
  region: null,
  country: null,
  latitude: null,
  longitude: null,
};

describe('create', () => {
  it('P5: needs only a name, and returns the location of the partner', async () => {
    const response = await service.post('/partners', { name: 'Acme' });
    expect(response.status).toBe(201);
    expect(response.headers.location).toBe(`/partners/${response.body.id}`);
    expect(response.body).toMatchObject({ name: 'Acme', description: null, billing_address: noAddress });
    expect(response.body.created_at).toBe(response.body.updated_at);
    expect((await get(response.body.id)).body).toEqual(response.body);
  });

  it('P5: accepts every member of the update body', async () => {
    const all = {
      ...Object.fromEntries(textNames.map((member) => [member, `Any ${member}`])),
      billing_address: { ...noAddress, city: 'Oslo', latitude: 59.9 },
    };
    expect(await createPartner(all)).toMatchObject(all);
  });

  it('P5: is 400 if the name is missing or null', async () => {
    for (const body of [{}, { name: null }, { name: 1 }]) {
      const { status, body: error } = await service.post('/partners', body);
      expect(status).toBe(400);
      expect(error.errors).toHaveLength(1);
      expect(error.errors[0].pointer).toBe('/name');
    }
  });

  it('F1: identifiers are TypeIDs of UUIDv7s, so they sort by age', async () => {
    const first = await createPartner();
    await service.sql('select pg_sleep(0.002)');
    expect(first.id < (await createPartner()).id).toBe(true);
  });
});

describe('read', () => {
  it('F1: a malformed id is unknown', async () => {
    const { id } = await createPartner();
    for (const wrong of [
      'x',
      `${id}0`,
      id.toUpperCase(),
      id.replace('ptr_', 'usr_'),
      '%00',
      'a%2Fb',
      '%zz',
      '%F0%9F',
      'é'.repeat(9),
      'x'.repeat(10_000),
    ]) {
      await expectCode('not_found', service.get(`/partners/${wrong.replace(/é/g, '%C3%A9')}`));
    }
  });

  it('E5: hidden and unknown partners get the same answer, byte for byte except the request id', async () => {
    const { id } = await createPartner();
    const { token } = await service.signInStranger();
    const answers = await Promise.all(
      [id, 'ptr_01h2xcejqtf2nbrexx3vqjhp41', 'nonsense'].map((each) =>
        service.get(`/partners/${each}`, token),
      ),
    );
    const faces = answers.map(({ status, headers, text, body }) => {
      const { 'x-request-id': _id, date: _date, ...rest } = headers;
      return JSON.stringify([status, rest, text.replaceAll(body.request_id, '')]);
    });
    expect(new Set(faces).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
  });

  it('C1: the answer carries a strong ETag, and a request with that ETag is 304', async () => {
    const { id } = await createPartner();
    const { headers } = await get(id);
    expect(headers.etag).toMatch(/^"[\w-]{27}"$/);
    for (const match of [headers.etag, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
      const cached = await get(id, { 'if-none-match': match });
      expect([cached.status, cached.text, cached.headers.etag]).toEqual([304, '', headers.etag]);
    }
    await patch(id, { phone: '1' });
    await expectStatus(200, get(id, { 'if-none-match': headers.etag }));
  });

  it('E7: answers to a token are private and must be revalidated', async () => {
    const { id } = await createPartner();
    expect((await get(id)).headers['cache-control']).toBe('private, no-cache');
  });

  it('E6: GET ignores a request body, and HEAD returns no body', async () => {
    const { id } = await createPartner();
    await expectStatus(200, service.request('GET', `/partners/${id}`, { body: '{broken' }));
    expect(await service.request('HEAD', `/partners/${id}`)).toMatchObject({ status: 200, text: '' });
  });
});

describe('update', () => {
  it('F3: stores and echoes text as given', async () => {
    const { id } = await createPartner();
    const text = '  \t“Ünïcode” 👩‍👩‍👧 \u0001 &<> ';
    expect((await patch(id, { name: text, description: text })).body).toMatchObject({
      name: text,
      description: text,
    });
    expect((await get(id)).body).toMatchObject({ name: text, description: text });
  });

  it('F5: the length limit counts code points, and one code point too many is refused', async () => {
    const { id } = await createPartner();
    const others: Record<string, number> = {
      description: 2_000,
      phone: 32,
      website: 2_048,
      support_phone: 32,
    };
    for (const member of textNames) {
      const most = others[member] ?? 255;
      await expectStatus(200, patch(id, { [member]: '😀'.repeat(most) }));
      const { status, body } = await patch(id, { [member]: 'x'.repeat(most + 1) });
      expect([status, body.errors]).toMatchObject([400, [{ pointer: `/${member}`, code: 'too_long' }]]);
    }
  });

  it('interface 4.2: unknown members and wrong types are 400, and the answer names each', async () => {
    const { id } = await createPartner();
    const { status, body } = await patch(id, { nickname: 'x', phone: 5, website: false, 'a/b~c': 1 });
    expect(status).toBe(400);
    expect(
      body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`).sort(),
    ).toEqual([
      '/a~1b~0c unknown_member',
      '/nickname unknown_member',
      '/phone wrong_type',
      '/website wrong_type',
    ]);
  });

  it('interface 4.2: null clears every member but the name', async () => {
    const { id } = await createPartner({ name: 'n', description: 'd', phone: 'p', support_email: 's' });
    expect((await patch(id, { description: null, phone: null, support_email: null })).body).toMatchObject({
      name: 'n',
      description: null,
      phone: null,
      support_email: null,
    });
  });

  it('P1: a null name changes nothing and is listed in Ignored-Members', async () => {
    const { id } = await createPartner();
    const { status, body, headers } = await patch(id, { name: null, phone: '1' });
    expect([status, body.name, body.phone, headers['ignored-members']]).toEqual([
      200,
      'Acme',
      '1',
      '"/name"',
    ]);
    expect((await patch(id, { name: '' })).body.name).toBe('');
  });

  it('P2: an address is merged, and null clears the whole address', async () => {
    const { id } = await createPartner({
      name: 'n',
      billing_address: { city: 'Oslo', street: 'S', latitude: 1 },
    });
    expect(
      (await patch(id, { billing_address: { street: null, country: 'NO' } })).body.billing_address,
    ).toEqual({
      ...noAddress,
      city: 'Oslo',
      country: 'NO',
      latitude: 1,
    });
    expect((await patch(id, { billing_address: null })).body.billing_address).toEqual(noAddress);
  });

  it('P2: an invalid address member is ignored and listed, never 400', async () => {
    const { id } = await createPartner({ name: 'n', billing_address: { city: 'Oslo', street: 'S' } });
    const { status, body, headers } = await patch(
      id,
      '{"billing_address":{"city":5,"street":"a\\u0000","région/~":1,"latitude":"nan","postal_code":"0150","__proto__":{}}}',
    );
    expect([status, body.billing_address]).toEqual([
      200,
      { ...noAddress, city: 'Oslo', street: 'S', postal_code: '0150' },
    ]);
    expect(headers['ignored-members']).toBe(
      '"/billing_address/city", "/billing_address/street", "/billing_address/r%C3%A9gion~1~0", "/billing_address/latitude", "/billing_address/__proto__"',
    );
    for (const value of ['text', 7, true, [], [{ city: 'x' }]]) {
      const whole = await patch(id, { billing_address: value });
      expect([whole.status, whole.headers['ignored-members'], whole.body.billing_address.city]).toEqual([
        200,
        '"/billing_address"',
        'Oslo',
      ]);
    }
  });

  it('P2: the header lists at most 20 ignored members, followed by ...', async () => {
    const { id } = await createPartner();
    const members = Object.fromEntries(times(30, (i) => [`m${i}`, i]));
    const named = String((await patch(id, { billing_address: members })).headers['ignored-members']).split(
      ', ',
    );
    expect(named).toHaveLength(21);
    expect(named[20]).toBe('"..."');
    const long = await patch(id, { billing_address: { ['x'.repeat(5_000)]: 1, ['é'.repeat(5_000)]: 1 } });
    expect(String(long.headers['ignored-members']).length).toBeLessThan(500);
  });

  it('P3: numbers and the three words are stored unchanged', async () => {
    const { id } = await createPartner();
    const cases: [string, unknown][] = [
      ['"NaN"', 'NaN'],
      ['"Infinity"', 'Infinity'],
      ['"-Infinity"', '-Infinity'],
      ['1e400', 'Infinity'],
      ['-1e400', '-Infinity'],
      ['91', 91],
      ['-720.5', -720.5],
      ['1e308', 1e308],
      ['5e-324', 5e-324],
      ['0.1', 0.1],
      ['12345678901234567890', 1.2345678901234567e19],
      ['-0', 0],
    ];
    for (const [sent, kept] of cases) {
      await patch(id, `{"billing_address":{"latitude":${sent},"longitude":${sent}}}`);
      expect((await get(id)).body.billing_address).toMatchObject({ latitude: kept, longitude: kept });
    }
  });

  it('F2: updated_at moves only with a change, and always forward', async () => {
    const partner = await createPartner();
    await service.setClock('2020-01-01T00:00:00Z'); // the clock goes backwards
    let before = partner.updated_at;
    for (let i = 0; i < 5; i++) {
      const { body } = await patch(partner.id, { phone: String(i) });
      expect(body.updated_at > before).toBe(true);
      before = body.updated_at;
      expect(
        (await patch(partner.id, { phone: String(i), name: null, billing_address: [] })).body.updated_at,
      ).toBe(before);
    }
    await service.advanceClock(0);
  });

  it('C1: If-Match is compared under the lock: one of ten writers with the same ETag wins', async () => {
    const { id } = await createPartner();
    const { headers } = await get(id);
    const answers = await atOnce(10, (i) => patch(id, { phone: `p${i}` }, { 'if-match': headers.etag }));
    expect(statusesOf(answers)).toEqual([200, ...Array(9).fill(412)]);
    await expectStatus(412, patch(id, { phone: 'x' }, { 'if-match': '"other"' }));
    await expectStatus(412, patch(id, { phone: 'x' }, { 'if-match': `W/${(await get(id)).headers.etag}` }));
    await expectStatus(200, patch(id, { phone: 'x' }, { 'if-match': '*' }));
    await expectStatus(
      412,
      service.request('DELETE', `/partners/${id}`, { headers: { 'if-match': '"other"' } }),
    );
  });

  it('I1: concurrent merges of different members are all kept', async () => {
    const { id } = await createPartner();
    const changes = [
      { phone: '1' },
      { website: 'w' },
      { vat_no: 'v' },
      { billing_address: { city: 'c' } },
      { billing_address: { street: 's' } },
    ];
    await Promise.all(changes.map((change) => patch(id, change)));
    expect((await get(id)).body).toMatchObject({
      phone: '1',
      website: 'w',
      vat_no: 'v',
      billing_address: { city: 'c', street: 's' },
    });
  });
});

describe('delete', () => {
  it('P4: is 204 without a body, and all later requests are 404', async () => {
    const { id } = await createPartner();
    const { status, text, headers } = await service.request('DELETE', `/partners/${id}`, {
      body: '{ignored',
    });
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined]);
    for (const method of ['GET', 'DELETE'])
      await expectStatus(404, service.request(method, `/partners/${id}`));
    await expectStatus(404, patch(id, {}));
  });

  it('P4: one of twenty parallel deletes is 204', async () => {
    const { id } = await createPartner();
    const answers = await atOnce(20, () => service.remove(`/partners/${id}`));
    expect(statusesOf(answers)).toEqual([204, ...Array(19).fill(404)]);
  });

  it('P4: an operator can restore a partner within 30 days; after 30 days it is purged', async () => {
    const partner = await createPartner();
    const restore = (token = service.operatorToken) =>
      service.request('POST', `/partners/${partner.id}/restore`, { token });
    await service.remove(`/partners/${partner.id}`);
    await expectStatus(403, restore((await service.signInStranger()).token));
    const { status, body } = await restore();
    expect([status, body]).toEqual([200, { ...partner, updated_at: body.updated_at }]);
    expect((await restore()).body.updated_at).toBe(body.updated_at);

    await service.remove(`/partners/${partner.id}`);
    const age = (days: number) =>
      service.sql(
        `update partner set deleted_at = now() - $1 * interval '1 day' where deleted_at is not null`,
        [days],
      );
    const remaining = () => service.sql('select from partner where deleted_at is not null');
    const purge = () => service.runTask('purge deleted partners');
    await age(29);
    await purge();
    expect((await remaining()).length).toBeGreaterThan(0);
    await age(31);
    await expectStatus(404, restore());
    const others = () => service.sql('select id from partner where deleted_at is null order by id');
    await createPartner();
    const before = await others();
    await purge();
    expect([await remaining(), await others()]).toEqual([[], before]);
  });
});
