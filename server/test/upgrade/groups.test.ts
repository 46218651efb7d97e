// Permission groups of a database that an older version wrote.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId, parseId } from '../../src/base/ids.ts';
import { startTestService, type TestDatabase, type TestService } from '../start-service.ts';
import { createOlderDatabase } from './older-database.ts';

let older: TestDatabase;
let service: TestService;
const partners = [newId('partner'), newId('partner')] as const;
const names = [
  [
    'Support',
    'support',
    'SUPPORT (2)',
    'Support',
    'Viewer',
    'viewer',
    '',
    ' ',
    'Group',
    'Caf\u00e9',
    'Cafe\u0301',
    ' Night\u200b',
    'Night',
    'x'.repeat(255),
    'X'.repeat(255),
  ],
  ['Support', 'Day'],
];

beforeAll(async () => {
  older = await createOlderDatabase('0016');
  for (const [index, partner] of partners.entries()) {
    const id = parseId('partner', partner);
    await older.sql('insert into partner (id, name) values ($1, $2)', [id, 'Acme']);
    for (const [place, name] of (names[index] ?? []).entries()) {
      await older.sql(
        `insert into permission_group (id, partner_id, name, acl_permissions, created_at, updated_at)
         values ($1, $2, $3, '[]', $4, $4)`,
        [
          parseId('permission_group', newId('permission_group')),
          id,
          name,
          new Date(1_700_000_000_000 + place),
        ],
      );
    }
  }
  service = await startTestService({}, () => older.url);
});
afterAll(async () => {
  await service?.stop();
  await older?.drop();
});

const list = async (partner: string) =>
  (
    await service.request(
      'GET',
      `/partners/${partner}/acl-permission-groups?filter[type]=custom&sort_by=created_at`,
    )
  ).body;

it('A13: repeated, empty and managed names of an older version get a number', async () => {
  const groups = await list(partners[0]);
  expect(groups.map(({ name }: { name: string }) => name)).toEqual([
    'Support',
    'support (3)',
    'SUPPORT (2)',
    'Support (4)',
    'Viewer (2)',
    'viewer (3)',
    'Group',
    'Group (2)',
    'Group (3)',
    'Caf\u00e9',
    'Cafe\u0301 (2)',
    'Night',
    'Night (2)',
    'x'.repeat(255),
    `${'X'.repeat(240)} (2)`,
  ]);
  for (const [index, { name, created_at, updated_at }] of groups.entries())
    expect([name, updated_at > created_at]).toEqual([name, name !== names[0]?.[index]]);
  expect((await list(partners[1])).map(({ name }: { name: string }) => name)).toEqual(['Support', 'Day']);
});

it('A13: a group with a long name of an older version goes on working', async () => {
  const { id } = (await list(partners[0])).find(({ name }: { name: string }) => name.length === 255);
  const at = `/partners/${partners[0]}/acl-permission-groups/${id}`;
  expect((await service.request('PATCH', at, { body: { acl_permissions: [] } })).status).toBe(200);
  expect((await service.request('PATCH', at, { body: { name: 'Short' } })).body.name).toBe('Short');
});
