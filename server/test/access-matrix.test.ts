// The access matrix: every operation by every kind of caller, compared with the table in docs/access.md. UPDATE_DOCS=1 rewrites the table.
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallerKind, callers } from './access-callers.ts';
import { type Operation, open, operations, type World } from './access-operations.ts';
import { createWorlds } from './access-world.ts';
import { type Cast, createCast } from './cast.ts';
import { operator, type Response, startTestService, type TestService } from './start-service.ts';

const page = new URL('../../docs/access.md', import.meta.url);
const tableStart = '<!-- matrix -->\n';

/** Two services: the second one asks operators for a second factor. */
const plays: { service: TestService; cast: Cast }[] = [];
beforeAll(async () => {
  for (const mfa of ['optional', 'required']) {
    const service = await startTestService({ CONCORD_OPERATOR_MFA: mfa, CONCORD_LOG_LEVEL: 'error' });
    // The operator who sets the worlds up has proven a second factor. Enabling it ends sessions, so the operator gets a proven one back.
    await service.database.sql(`update auth."user" set two_factor_enabled = true where email = $1`, [operator.email]);
    await service.database.sql(
      `insert into auth.session (id, user_id, token, expires_at, updated_at, mfa_verified_at)
       select 'operator', id, encode(sha256($1), 'hex'), now() + interval '1 day', now(), now() from auth."user" where email = $2`,
      [service.operatorToken, operator.email],
    );
    plays.push({ service, cast: createCast(service) });
  }
});
afterAll(async () => {
  for (const { service } of plays) await service.stop();
});

const usual: Record<number, string> = { 401: 'unauthenticated', 403: 'forbidden', 404: 'not_found' };
const toCell = ({ status, body }: Response) =>
  status < 400 || usual[status] === body.code ? String(status) : `${status} ${body.code}`;

/** The answers to a caller of this kind, operation by operation. */
async function fillColumn(kind: CallerKind): Promise<string[]> {
  const play = plays[kind.strict ? 1 : 0] as (typeof plays)[number];
  const worlds = createWorlds(play, kind);
  const cells: string[] = [];
  for (const operation of operations) {
    const { world, token } = await worlds.enter(operation);
    const send = (at: World) => sendOperation(play.service, operation, at, token);
    // A hidden partner must look like a partner that does not exist, byte for byte.
    const inPartner = operation.path(world).includes(world.partner);
    const unknown = inPartner ? await send({ ...world, partner: 'ptr_01h2xcejqtf2nbrexx3vqjhp41' }) : null;
    const answer = await send(world);
    if (answer.status === 404 && unknown) expect(trace(answer), `${operation.name} by ${kind.name}`).toEqual(trace(unknown));
    if (answer.status < 400 && answer.method !== 'GET') worlds.done(operation);
    cells.push(toCell(answer));
  }
  return cells;
}

function sendOperation(service: TestService, { name, path, body }: Operation, at: World, token: string | null) {
  const [method = ''] = name.split(' ');
  const sent = typeof body === 'function' ? body(at) : body;
  return service.request(method, path(at), { token, ...(sent && { body: sent }) });
}

/** Everything that a caller sees of an answer, without the parts that differ between any two answers. */
function trace({ status, body, headers }: Response) {
  const { date, 'x-request-id': _, ...rest } = headers;
  return { status, headers: rest, text: JSON.stringify({ ...body, request_id: '' }) };
}

it('E5, A9, A10, R3: each operation answers each kind of caller as docs/access.md says', async () => {
  const columns = await Promise.all(callers.map(fillColumn));
  const rows = operations.map(({ name }, index) => [`\`${name}\``, ...columns.map((cells) => cells[index] ?? '')]);
  const head = ['Operation', ...callers.map((_, index) => String.fromCharCode(65 + index))];
  const legend = callers.map(({ name }, index) => `- **${String.fromCharCode(65 + index)}** ${name}`);
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const table = [...legend, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
  const text = readFileSync(page, 'utf8');
  const before = text.slice(0, text.indexOf(tableStart) + tableStart.length);
  if (process.env.UPDATE_DOCS) writeFileSync(page, before + table);
  else expect(table.split('\n')).toEqual(text.slice(before.length).split('\n'));
});

it('A10: no operation accepts an id under the path of another partner', async () => {
  const { service, cast } = plays[0] as (typeof plays)[number];
  const worlds = createWorlds(plays[0]!, callers.find(({ name }) => name === 'operator') as CallerKind);
  const elsewhere = await cast.partner();
  const within = operations.filter(({ name }) => /_id\}/.test(name) && name.includes('/partners/{id}/'));
  expect(within.length).toBeGreaterThan(12);
  for (const operation of within) {
    const { world, token } = await worlds.enter(operation);
    const answer = await sendOperation(service, operation, { ...world, partner: elsewhere }, token);
    expect([operation.name, answer.status]).toEqual([operation.name, 404]);
  }
});

it('E5: every operation has a row', async () => {
  const { body } = await plays[0]!.service.request('GET', '/openapi.json');
  const inDocument = Object.entries<object>(body.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const rows = new Set(operations.map(({ name }) => name.split(' ', 2).join(' ')));
  expect(inDocument.filter((name) => !rows.has(name) && !open.has(name))).toEqual([]);
  expect([...rows, ...open].filter((name) => !inDocument.includes(name))).toEqual([]);
});
