// Holds which folder writes which table, and which tables of other features a folder reads. Reads the SQL of
// server/src, so it needs no database. A planted violation must be caught.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { complain } from './command.ts';

const root = join(import.meta.dirname, '..');
const sources = join(root, 'server/src');
const steps = join(root, 'server/migrations');

/** A feature owns the tables that the migration of its name makes. */
const floorOf: Readonly<Record<string, string>> = {
  '0001_base': 'base',
  '0002_audit': 'audit',
  '0003_people': 'people',
  '0004_partners': 'partners',
  '0005_agreements': 'agreements',
  '0006_webhooks': 'webhooks',
  '0007_webhook_history': 'webhooks',
  '0008_insight': 'insight',
};

/** Deviations: the floor, what it does to which tables, and why. */
const deviations: readonly { floor: string; writes?: string[]; reads?: string[]; why: string }[] = [
  {
    floor: 'access',
    writes: ['auth.session', 'connection_session'],
    reads: [
      'auth.user',
      'agreement',
      'agreement_group',
      'access_request',
      'permission_group',
      'service_account',
      'session_proof',
      'break_glass',
      'identity_connection',
      'partner',
    ],
    why: 'one statement decides what a caller may do, and keeps its session alive and what signed it in',
  },
  {
    floor: 'agreements',
    reads: ['auth.user', 'auth.session', 'auth.account', 'partner'],
    why: 'names of members and of partners in lists, mails and locks; whose session proves a sign-in, and with which link',
  },
  { floor: 'audit', reads: ['auth.user'], why: 'the kind of the actor and the erasure of people' },
  {
    floor: 'people',
    reads: ['agreement', 'service_account', 'audit_log', 'audit_person'],
    why: 'lists of users with their agreements, and whose values must be erased',
  },
  { floor: 'webhooks', reads: ['partner'], why: 'nothing is sent for a deleted partner' },
  { floor: 'insight', reads: ['partner'], why: 'search and status join tables of all features' },
];

const owners = new Map(
  readdirSync(steps).flatMap((file) => {
    const floor = floorOf[file.replace('.sql', '')];
    const text = readFileSync(join(steps, file), 'utf8');
    return [...text.matchAll(/^create(?: unlogged)? table ([^\s(;]+)/gm)].map(
      ([, name = '']) => [name.replaceAll('"', ''), floor ?? ''] as const,
    );
  }),
);

type Use = { floor: string; file: string; table: string; does: 'writes' | 'reads' };

/** Comments do not count. `as "user"` and CTEs of the same name are rare enough to be listed. */
function usesIn(file: string, text: string): Use[] {
  const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '').replaceAll('"', '');
  const floor = file.split('/')[0] ?? '';
  return [...owners.keys()].flatMap((table): Use[] => {
    const name = `${table.replace('.', '\\.')}\\b(?![.\\w])`;
    const written = new RegExp(
      `\\b(?:insert into|delete from|truncate|update)\\s+${name}\\s+(?!as\\s*\\()`,
    ).test(code);
    const read = new RegExp(`\\b(?:from|join|using)\\s+${name}`).test(code);
    return [
      ...(written ? [{ floor, file, table, does: 'writes' as const }] : []),
      ...(read ? [{ floor, file, table, does: 'reads' as const }] : []),
    ];
  });
}

const isAllowed = ({ floor, table, does }: Use) =>
  owners.get(table) === floor ||
  deviations.some(
    (each) =>
      each.floor === floor &&
      [...(each.writes ?? []), ...(does === 'reads' ? (each.reads ?? []) : [])].includes(table),
  );

const isSql = (file: string) => /(?:^|\/)store\.ts$/.test(file) || /\/postgres\//.test(file);
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && isSql(file),
);
const uses = files.flatMap((file) => usesIn(file, readFileSync(join(sources, file), 'utf8')));
const planted = usesIn('insight/planted/store.ts', 'sql`insert into agreement (id) select 1`');
const unused = deviations.flatMap(({ floor, writes = [], reads = [] }) =>
  [...writes, ...reads]
    .filter((table) => !uses.some((use) => use.floor === floor && use.table === table))
    .map((table) => `${floor} does not use ${table}: remove it from tools/table-owners.ts.`),
);
const problems = [
  ...uses
    .filter((use) => !isAllowed(use))
    .map(({ file, table, does }) => `${file} ${does} ${table}, a table of ${owners.get(table)}`),
  ...unused,
  ...(planted.length === 0 || planted.every(isAllowed) ? ['The planted write was not caught.'] : []),
];
complain(problems);
