// Sessions and waiting tokens from before they were stored as hashes.
import { expect, it } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { hashIdentifier } from '../../src/people/better-auth/hashed-tokens.ts';
import { startTestService } from '../start-service.ts';
import { createOlderDatabase } from './older-database.ts';

it('T12: sessions and waiting tokens of an older version go on working, and are no longer readable', async () => {
  const old = await createOlderDatabase('0019');
  const id = newId('user');
  const token = 'PlainTokenOfAnOlderVersion012345';
  await old.sql(
    `insert into auth."user" (id, name, email, email_verified, role) values ($1, 'Ann', 'ann@concord.test', true, 'user')`,
    [id],
  );
  await old.sql(
    `insert into auth.session (id, user_id, token, expires_at, updated_at) values ('old', $1, $2, now() + interval '1 day', now())`,
    [id, token],
  );
  const identifiers = [
    '2fa-aaaaaaaaaaaaaaaaaaaa',
    '2fa-attempts-2fa-aaaaaaaaaaaaaaaaaaaa',
    'trust-device-b',
    'reset-password:c',
  ];
  for (const identifier of [...identifiers, 'auth-state:d']) {
    await old.sql(
      `insert into auth.verification (id, identifier, value, expires_at) values ($1, $1, $2, now() + interval '1 hour')`,
      [identifier, id],
    );
  }
  const service = await startTestService({}, () => old.url);
  const { status, body } = await service.request('GET', '/api/auth/list-sessions', { token });
  expect([status, body.length, body[0].current]).toEqual([200, 1, true]);
  const waiting = await old.sql('select id, identifier from auth.verification order by id');
  expect(waiting).toEqual(
    identifiers.toSorted().map((each) => ({ id: each, identifier: hashIdentifier(each) })),
  );

  // What the database holds signs nobody in.
  for (const { token: stored } of await old.sql('select token from auth.session')) {
    expect(stored).not.toBe(token);
    expect((await service.request('GET', '/api/auth/list-sessions', { token: stored })).status).toBe(401);
  }
  // An instance of the older version that still runs cannot store a plain token.
  const plain = `insert into auth.session (id, user_id, token, expires_at, updated_at) values ('new', $1, $2, now(), now())`;
  await expect(old.sql(plain, [id, 'PlainTokenOfAnOlderVersion543210'])).rejects.toThrow(
    'session_token_is_hashed',
  );
  // A password change still ends what the user began.
  await old.sql(`update auth."user" set email = 'other@concord.test' where id = $1`, [id]);
  expect(await old.sql('select from auth.verification')).toEqual([]);
  await service.stop();
  await old.drop();
});
