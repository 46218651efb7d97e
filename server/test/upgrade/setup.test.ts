// The setup of an installation that is older than its link.
import { expect, it } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { createPasswords } from '../../src/people/index.ts';
import { operator, startTestService } from '../start-service.ts';
import { createOlderDatabase } from './older-database.ts';

it('B13: an installation with an operator gets no link after the upgrade', async () => {
  const old = await createOlderDatabase('0033');
  const id = newId('user');
  const hash = await createPasswords().hash(operator.password);
  await old.sql(
    `insert into auth."user" (id, name, email, email_verified, role) values ($1, 'Operator', $2, true, 'operator')`,
    [id, operator.email],
  );
  await old.sql(
    `insert into auth.account (id, account_id, provider_id, user_id, password, updated_at) values ($1, $1, 'credential', $1, $2, now())`,
    [id, hash],
  );
  const service = await startTestService({}, () => old.url);
  expect(service.announcements.join('\n')).not.toContain('/console/setup');
  expect(await old.sql('select completed_at is not null as complete, token_hash from setup')).toEqual([
    { complete: true, token_hash: null },
  ]);
  await service.stop();
  await old.drop();
});
