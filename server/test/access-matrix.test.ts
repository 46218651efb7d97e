// The access matrix: every operation by every kind of caller, held to the table in docs/access.md. UPDATE_DOCS=1 writes the table anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallerKind, callers, setStage } from './access-callers.ts';
import { type Operation, open, operations, type World } from './access-operations.ts';
import { type Cast, createCast } from './cast.ts';
import { operator, type Response, startTestService, type TestService } from './start-service.ts';

const page = new URL('../../docs/access.md', import.meta.url);
const tableStart = '<!-- matrix -->\n';

/** Two services: the second asks a second factor of operators. */
const plays: { service: TestService; cast: Cast }[] = [];
beforeAll(async () => {
  for (const mfa of ['optional', 'required']) {
    const service = await startTestService({ CONCORD_OPERATOR_MFA: mfa, CONCORD_LOG_LEVEL: 'error' });
    // Who sets the stage has proven a second factor. Enabling it ends sessions: the operator's comes back, proven.
    await service.database.sql(`update auth."user" set two_factor_enabled = true where email = $1`, [operator.email]);
    await service.database.sql(
      `insert into auth.session (id, user_id, token, expires_at, updated_at, mfa_verified_at)
       select 'operator', id, $1, now() + interval '1 day', now(), now() from auth."user" where email = $2`,
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

async function tryOperation(operation: Operation, kind: CallerKind): Promise<string> {
  const { service, cast } = plays[kind.strict ? 1 : 0] as (typeof plays)[number];
  const { world, token } = await setStage(service, cast, operation, kind);
  const send = (at: World) => {
    const body = typeof operation.body === 'function' ? operation.body(at) : operation.body;
    const [method = ''] = operation.name.split(' ');
    return service.request(method, operation.path(at), { token, ...(body && { body }) });
  };
  // A partner that does not exist first: it is what a hidden one must look like, byte for byte.
  const inPartner = operation.path(world).includes(world.partner);
  const unknown = inPartner ? await send({ ...world, partner: 'ptr_01h2xcejqtf2nbrexx3vqjhp41' }) : null;
  const answer = await send(world);
  if (answer.status === 404 && unknown) expect(trace(answer), `${operation.name} by ${kind.name}`).toEqual(trace(unknown));
  return toCell(answer);
}

/** All that a caller sees of an answer, but for what differs between any two. */
function trace({ status, body, headers }: Response) {
  const { date, 'x-request-id': _, ...rest } = headers;
  return { status, headers: rest, text: JSON.stringify({ ...body, request_id: '' }) };
}

it('E5, A9, A10, R3: every operation answers every kind of caller as docs/access.md says', async () => {
  const rows = await Promise.all(
    operations.map(async (operation) => {
      const cells: string[] = [];
      for (const kind of callers) cells.push(await tryOperation(operation, kind));
      return [`\`${operation.name}\``, ...cells];
    }),
  );
  const head = ['Operation', ...callers.map((_, index) => String.fromCharCode(65 + index))];
  const legend = callers.map(({ name }, index) => `- **${String.fromCharCode(65 + index)}** ${name}`);
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const table = [...legend, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
  const text = readFileSync(page, 'utf8');
  const before = text.slice(0, text.indexOf(tableStart) + tableStart.length);
  if (process.env.UPDATE_DOCS) writeFileSync(page, before + table);
  else expect(table.split('\n')).toEqual(text.slice(before.length).split('\n'));
});

it("A10: no id works under another partner's path, for any operation", async () => {
  const { service, cast } = plays[0] as (typeof plays)[number];
  const operator = callers.find(({ name }) => name === 'operator') as CallerKind;
  const within = operations.filter(({ name }) => /_id\}/.test(name) && name.includes('/partners/{id}/'));
  expect(within.length).toBeGreaterThan(12);
  for (const operation of within) {
    const { world, token } = await setStage(service, cast, operation, operator);
    const elsewhere = { ...world, partner: await cast.partner() };
    const body = typeof operation.body === 'function' ? operation.body(elsewhere) : operation.body;
    const [method = ''] = operation.name.split(' ');
    const answer = await service.request(method, operation.path(elsewhere), { token, ...(body && { body }) });
    expect([operation.name, answer.status]).toEqual([operation.name, 404]);
  }
});

it('E5: a new operation needs a row', async () => {
  const { body } = await plays[0]!.service.request('GET', '/openapi.json');
  const inDocument = Object.entries<object>(body.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const rows = new Set(operations.map(({ name }) => name.split(' ', 2).join(' ')));
  expect(inDocument.filter((name) => !rows.has(name) && !open.has(name))).toEqual([]);
  expect([...rows, ...open].filter((name) => !inDocument.includes(name))).toEqual([]);
});
