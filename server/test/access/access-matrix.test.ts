// The access matrix: every operation by every kind of caller, compared with docs/access.md.
// UPDATE_DOCS=1 rewrites what the page says.
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { consoleUrl, ownPage } from '../stage/browser.ts';
import { type Cast, createCast } from '../stage/cast.ts';
import { inForm } from '../stage/form.ts';
import { operator, type Response, startTestService, type TestService } from '../stage/start-service.ts';
import { type CallerKind, callers } from './access-callers.ts';
import type { Operation, World } from './access-operation.ts';
import { open, operations } from './access-operations.ts';
import { createWorlds } from './access-world.ts';

const page = new URL('../../../docs/access.md', import.meta.url);
const tableStart = '<!-- matrix -->\n';

/** Two services: the second one asks operators for a second factor. */
const plays: { service: TestService; cast: Cast }[] = [];
beforeAll(async () => {
  for (const mfa of ['optional', 'required']) {
    const service = await startTestService({
      CONCORD_OPERATOR_MFA: mfa,
      CONCORD_LOG_LEVEL: 'error',
      CONCORD_BASE_URL: consoleUrl,
      // Its endpoints cannot be reached.
      CONCORD_WEBHOOK_RETRY_SCHEDULE: '1h',
    });
    // The operator who sets the worlds up has proven a second factor. Enabling it ends sessions, so the
    // operator gets a proven one back.
    await service.sql(`update auth."user" set two_factor_enabled = true where email = $1`, [operator.email]);
    await service.sql(
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

/** Kinds that may change much, so that every change is made through the console too. */
const changing = new Set(['member, this bit', 'owner', 'operator']);
const isProgram = (name: string) => name.includes('token,') || name.startsWith('service account');

const usual: Record<number, string> = { 401: 'unauthenticated', 403: 'forbidden', 404: 'not_found' };
const toCell = ({ status, body }: Response) =>
  status < 400 || usual[status] === body.code ? String(status) : `${status} ${body.code}`;

type Via = 'api' | 'console';
/** `console` null: it was not sent through the console, or a success has used the objects up. */
type Cell = { cell: string; console: string | null };

/** Every operation goes through the console for those who may change much, and for a part of the other kinds. */
const every = inForm({ short: 4, long: 1 });
const goesThroughConsole = (kind: CallerKind, row: number) =>
  changing.has(kind.name) || (callers.indexOf(kind) + row) % every === 0;

/**
 * The answers to a caller of this kind, operation by operation. What changes nothing is sent through the
 * console too, with the token in a cookie, into the same world.
 */
async function fillColumn(kind: CallerKind, via: Via = 'api') {
  const play = plays[kind.strict ? 1 : 0] as (typeof plays)[number];
  const worlds = createWorlds(play, kind);
  const cells: Cell[] = [];
  for (const [row, operation] of operations.entries()) {
    const { world, token } = await worlds.enter(operation);
    const send = (at: World, by = via) => sendOperation(play.service, operation, at, token, by);
    // A hidden partner must look like a partner that does not exist, byte for byte.
    const inPartner = operation.path(world).includes(world.partner);
    const sendBoth = async (by: Via) => {
      const answer = await send(world, by);
      if (answer.status === 404 && inPartner && (by === 'api' || kind.name === 'stranger')) {
        const unknown = await send({ ...world, partner: 'ptr_01h2xcejqtf2nbrexx3vqjhp41' }, by);
        expect(trace(answer), `${operation.name} by ${kind.name}`).toEqual(trace(unknown));
      }
      return answer;
    };
    const answer = await sendBoth(via);
    const changed = answer.status < 400 && answer.method !== 'GET';
    const isAgain = !changed && via === 'api' && goesThroughConsole(kind, row);
    const again = isAgain ? await sendBoth('console') : null;
    if (changed) worlds.done(operation);
    cells.push({ cell: toCell(answer), console: again && toCell(again) });
  }
  return cells;
}

function sendOperation(
  service: TestService,
  { name, path, body }: Operation,
  at: World,
  token: string | null,
  via: Via = 'api',
  headers: Record<string, string> = {},
) {
  const [method = ''] = name.split(' ');
  const sent = typeof body === 'function' ? body(at) : body;
  if (via === 'api') return service.request(method, path(at), { token, body: sent, headers });
  const inBrowser = { ...ownPage, ...(token !== null && { cookie: `__Host-concord=${token}` }) };
  return service.request(method, `/console/api${path(at)}`, {
    token: null,
    headers: inBrowser,
    body: sent,
  });
}

/** Everything that a caller sees of an answer, without the parts that differ between any two answers. */
function trace({ status, body, headers }: Response) {
  const { date, 'x-request-id': _, ...rest } = headers;
  return { status, headers: rest, text: JSON.stringify({ ...body, request_id: '' }) };
}

const areas = ['/partners/{id}', '/api/auth', ''];
const areaOf = (name: string) => areas.findIndex((prefix) => name.split(' ')[1]?.startsWith(prefix));

/** The commonest. */
function mostOf(texts: readonly string[]) {
  const [[most = ''] = []] = [...Map.groupBy(texts, (text) => text)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  return most;
}

/**
 * Callers with the same answers share a letter, and operations with the same answers a section. A section
 * leaves out what its area answers to this caller anyway, and an area its commonest section.
 */
function toSections(rows: { name: string; cells: string[] }[]) {
  const outcomes = rows.map(({ name, cells }) => {
    const successes = [...new Set(cells.filter((cell) => /^[23]/.test(cell)))];
    const [success] = successes.length === 1 ? successes : [];
    return { name, cells: cells.map((cell) => (cell === success ? 'ok' : cell)) };
  });
  const columnOf = (index: number) => outcomes.map(({ cells }) => cells[index]).join();
  const kinds = [...Map.groupBy(callers.keys(), columnOf).values()];
  const letters = kinds.map((_, index) => String.fromCharCode(65 + index));
  const cellOf = ({ cells }: { cells: string[] }, letter: number) => cells[kinds[letter]?.[0] ?? 0] ?? '';
  const refusals = areas.map((_, area) =>
    letters.map((_, letter) => {
      const cells = outcomes.filter(({ name }) => areaOf(name) === area).map((each) => cellOf(each, letter));
      return mostOf(cells.filter((cell) => /^40[134]/.test(cell)));
    }),
  );
  const toText = (answers: Map<string, number[]>) =>
    [...answers]
      .filter(([answer]) => answer !== '')
      .toSorted(([a], [b]) => Number(b === 'ok') - Number(a === 'ok') || (a < b ? -1 : 1))
      .map(([answer, of]) => `${answer} **${of.map((letter) => letters[letter]).join('')}**`)
      .join(', ');
  const answersOf = (outcome: { name: string; cells: string[] }) => {
    const unusual = [...letters.keys()].filter(
      (letter) => cellOf(outcome, letter) !== refusals[areaOf(outcome.name)]?.[letter],
    );
    return toText(Map.groupBy(unusual, (letter) => cellOf(outcome, letter)));
  };
  const toLine = ([path, at]: [string, { name: string }[]]) =>
    `    ${at.map(({ name }) => name.split(' ', 1)[0]).join(',')} ${path}`;
  return [
    '',
    ...kinds.map((kind, index) => `    ${letters[index]} ${kind.map((at) => callers[at]?.name).join('; ')}`),
    ...areas.flatMap((prefix, area) => {
      const here = outcomes.filter(({ name }) => areaOf(name) === area);
      const usual = mostOf(here.map(answersOf));
      const refused = Map.groupBy(letters.keys(), (letter) => refusals[area]?.[letter] ?? '');
      return [
        '',
        `## ${prefix === '' ? 'Everything else' : `Below ${prefix}`}`,
        '',
        `Unless a list says otherwise: ${usual}; and of the others ${toText(refused)}`,
        ...[...Map.groupBy(here, answersOf)].flatMap(([answers, found]) =>
          answers === usual
            ? []
            : [
                '',
                answers || 'nobody',
                '',
                ...[...Map.groupBy(found, ({ name }) => name.slice(name.indexOf(' ') + 1))].map(toLine),
              ],
        ),
      ];
    }),
    '',
  ];
}

it('E5, A9, A10, R3, B1: each operation answers each kind of caller as docs/access.md says, and through the console too', async () => {
  const [answers, changes] = await Promise.all([
    Promise.all(callers.map((kind) => fillColumn(kind))),
    // A world of its own for those who may change something.
    Promise.all(callers.map((kind) => (changing.has(kind.name) ? fillColumn(kind, 'console') : []))),
  ]);
  const columns = answers.map((cells) => cells.map(({ cell }) => cell));
  for (const [index, { name }] of callers.entries()) {
    // Programs do not come through the console: their tokens count for nothing there.
    const same = columns[isProgram(name) ? callers.findIndex((kind) => kind.name === 'nobody') : index] ?? [];
    const inConsole = answers[index]?.map((answer, row) => answer.console ?? same[row]);
    expect(inConsole, name).toEqual(same);
    if (changing.has(name))
      expect(
        changes[index]?.map(({ cell }) => cell),
        name,
      ).toEqual(same);
  }
  const rows = operations.map(({ name }, index) => ({
    name,
    cells: columns.map((cells) => cells[index] ?? ''),
  }));
  const table = toSections(rows).join('\n');
  const text = readFileSync(page, 'utf8');
  const before = text.slice(0, text.indexOf(tableStart) + tableStart.length);
  if (process.env.UPDATE_DOCS) writeFileSync(page, before + table);
  else
    expect(
      table.split('\n'),
      'First see that access-operations.ts has the right permission. Then UPDATE_DOCS=1 writes the page',
    ).toEqual(text.slice(before.length).split('\n'));
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

it('C1: each operation that takes If-Match is 412 with the tag of something else, and what has an entity tag takes it', async () => {
  const { service } = plays[0] as (typeof plays)[number];
  const worlds = createWorlds(plays[0]!, callers.find(({ name }) => name === 'operator') as CallerKind);
  const { paths } = (await service.request('GET', '/openapi.json')).body;
  const takes = (path: string, method: string, header: string) =>
    paths[path][method]?.parameters?.some(({ name }: { name: string }) => name === header);
  const untrue: unknown[] = [];
  for (const operation of operations) {
    const [method = '', path = ''] = operation.name.split(' ');
    if (takes(path, method.toLowerCase(), 'if-match')) {
      const { world, token } = await worlds.enter(operation);
      const { status } = await sendOperation(service, operation, world, token, 'api', {
        'if-match': '"other"',
      });
      if (status !== 412) untrue.push([operation.name, status]);
    } else if (['PUT', 'PATCH', 'DELETE'].includes(method) && takes(path, 'get', 'if-none-match'))
      untrue.push(operation.name);
  }
  expect(untrue).toEqual([]);
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
