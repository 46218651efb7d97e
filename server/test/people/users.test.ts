// Operators manage users.
import { describe, expect, it } from 'vitest';
import { createCast, expectCode, expectStatus, statusesOf } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { operator, useService } from '../stage/start-service.ts';

const service = useService({
  CONCORD_RATE_LIMIT: '100000/10s',
  CONCORD_TRUSTED_PROXIES: '127.0.0.1',
});
const { post, forget } = createEnrolment(service);

describe('operators', () => {
  const users = (query = '', token = service.operatorToken) => service.get(`/users${query}`, token);

  it('R5: operators can list, search and page users; other callers cannot', async () => {
    await service.signInStranger();
    const { body, headers } = await users('?sort_by=email&page_size=1');
    expect([body.length, headers['total-count'], typeof headers.link]).toEqual([
      1,
      String((await users()).body.length),
      'string',
    ]);
    const found = await users(`?filter[email]=${operator.email.toUpperCase()}`);
    expect(found.body).toMatchObject([{ email: operator.email, role: 'operator', banned: false }]);
    await expectStatus(403, users('', (await service.signInStranger()).token));
    await expectStatus(400, users('?sort_by=id&page_from=W10'));
  });

  it('R5, C1: operators can ban a user until a given time and delete a user with that tag; an unknown user is 404', async () => {
    const { id, token } = await service.signInStranger();
    const banned = await service.post(`/users/${id}/ban`, {
      reason: 'a reason',
      expires_at: '2999-01-01T00:00:00+01:00',
    });
    expect(banned.body).toMatchObject({
      banned: true,
      ban_reason: 'a reason',
      ban_expires_at: '2998-12-31T23:00:00.000Z',
    });
    for (const wrong of ['tomorrow', '2020-01-01T00:00:00Z'])
      await expectStatus(400, service.post(`/users/${id}/ban`, { expires_at: wrong }));
    const remove = (etag: unknown) =>
      service.request('DELETE', `/users/${id}`, { headers: { 'if-match': String(etag) } });
    await expectStatus(412, remove('"other"'));
    await expectStatus(204, remove(banned.headers.etag));
    for (const unknown of [id, 'x', '%00', 'usr_01h2xcejqtf2nbrexx3vqjhp41'])
      await expectStatus(404, service.remove(`/users/${unknown}`));
    await expectStatus(401, service.get('/api/auth/list-accounts', token));
  });

  it('R5: operators who delete and ban each other at the same time never get 500', async () => {
    const cast = createCast(service);
    for (let round = 0; round < 15; round++) {
      const [one, two] = [await cast.user(), await cast.user()];
      for (const each of [one, two]) each.token = await cast.appoint(each);
      const partner = await cast.partner();
      await cast.join(partner, one, { owner: true });
      await cast.owner(partner);
      const answers = await Promise.all([
        service.remove(`/users/${two.id}`, one.token),
        service.remove(`/users/${one.id}`, two.token),
        service.patch(`/partners/${partner}`, { phone: '1' }, one.token),
        service.post(`/users/${one.id}/ban`, {}, two.token),
      ]);
      expect(statusesOf(answers).filter((status) => status >= 500)).toEqual([]);
    }
  });

  // Last, because it ends the session of the first operator.
  it('R5: operators can appoint another operator; the last operator stays, even if two lose the role at once', async () => {
    const { id: other, token } = await service.signInStranger();
    const me = (await service.get('/me')).body.id;
    await service.sql(`update auth."user" set role = 'user' where email <> $1`, [operator.email]);
    const role = (id: string, to: string, bearer = service.operatorToken) =>
      service.put(`/users/${id}/role`, { role: to }, bearer);
    expect((await role(me, 'user')).body).toMatchObject({
      code: 'last_operator',
      message: expect.stringContaining('Make another user an operator first.'),
    });
    await expectCode('last_operator', service.post(`/users/${me}/ban`, {}));
    await expectCode('last_operator', service.remove(`/users/${me}`));
    await forget();
    await expectCode('last_operator', post('delete-user', service.operatorToken, { password }));
    await expectStatus(403, role(other, 'user', token));
    expect((await role(other, 'operator')).body.role).toBe('operator');
    // The new role has ended the session.
    const appointed = await createCast(service).session(other);
    await expectStatus(200, users('', appointed));
    const both = await Promise.all([role(me, 'user', appointed), role(other, 'user')]);
    // The loser is refused as the last operator, or because its session has ended.
    expect(statusesOf(both)[0]).toBe(200);
    expect([400, 401]).toContain(statusesOf(both)[1]);
    expect(await service.sql(`select from auth."user" where role = 'operator'`)).toHaveLength(1);
  });
});
