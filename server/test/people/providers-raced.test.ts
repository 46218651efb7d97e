// Two browsers of one person that return from a provider at the same time.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { statusesOf } from '../stage/cast.ts';
import { commit, hold, untilWaiting } from '../stage/locks.ts';
import { useProviderStage } from './provider-stage.ts';

const stage = useProviderStage();

/** Neither finds what the other inserts into this table. */
async function both(table: string, visit: () => ReturnType<typeof stage.visit>) {
  const { database } = stage.service;
  const locked = await hold(database, `lock table ${table} in share mode`);
  const answers = [visit(), visit()];
  await untilWaiting(database, 2, 'insert into').finally(() => commit(locked));
  return statusesOf(await Promise.all(answers));
}

it('T15, E2: of two returns of one person at once, one signs in or links, and the other is refused', async () => {
  const [stranger, known] = [`${randomUUID()}@oidc.example`, `${randomUUID()}@oidc.example`];
  expect(await both('auth."user"', () => stage.visit(stage.person(stranger, stranger)))).toEqual([200, 400]);
  const token = await stage.makeUser(known);
  const link = () => stage.visit(stage.person(known, known), { token });
  expect(await both('auth.account', link)).toEqual([200, 400]);
  expect(await stage.accountsOf(token)).toEqual(['credential', 'oidc']);
});
