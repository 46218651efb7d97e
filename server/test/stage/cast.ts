// The people of the tests: users with a session, partners, and agreements between them.
import { expect } from 'vitest';
import { newId, parseId } from '../../src/base/ids.ts';
import { insertSession, newEmail, type Response, type TestService, useService } from './start-service.ts';

export type Player = { id: string; email: string; token: string };
export type Member = Player & { agreement: string };
export type Cast = ReturnType<typeof createCast>;

const methods = ['get', 'put', 'post', 'patch', 'delete', 'query'];
/** An ACL permission: `acl('agreements', 'get', 'query')`. Without methods it grants all of them. */
export const acl = (resource: string, ...granted: string[]) => ({
  resource,
  ...Object.fromEntries(methods.map((method) => [method, granted.length === 0 || granted.includes(method)])),
});

/** Terms of an agreement or of a group that grant one ACL permission. */
export const may = (...permission: Parameters<typeof acl>) => ({ acl_permissions: [acl(...permission)] });

/** Terms of an agreement whose end has passed. */
export const hasEnded = { expires_at: '2020-01-01T00:00:00Z' };

type Traits = { secondFactor?: 'not_enabled' | 'proven' | 'missing'; verified?: boolean; name?: string };

export function createCast(service: TestService) {
  const sql: TestService['sql'] = (...statement) => service.sql(...statement);

  /** A user with a session, inserted into the database; the tests of accounts sign in for real. */
  async function user({
    secondFactor = 'not_enabled',
    verified = true,
    name = 'Player',
  }: Traits = {}): Promise<Player> {
    const id = newId('user');
    const email = newEmail();
    await sql(
      `insert into auth."user" (id, name, email, email_verified, role, two_factor_enabled) values ($1, $2, $3, $4, 'user', $5)`,
      [id, name, email, verified, secondFactor !== 'not_enabled'],
    );
    return { id, email, token: await session(id, secondFactor === 'proven') };
  }

  const session = (userId: string, proven = false) => insertSession(sql, userId, proven);

  async function partner(name = 'Acme'): Promise<string> {
    return succeed(await service.post('/partners', { name })).id;
  }

  const invite = async (partnerId: string, email: string, body: object = {}, token = service.operatorToken) =>
    service.post(`/partners/${partnerId}/agreements`, { email, ...body }, token);
  const change = (partnerId: string, agreementId: string, body: object, token = service.operatorToken) =>
    service.patch(`/partners/${partnerId}/agreements/${agreementId}`, body, token);

  /** An accepted agreement, with these terms set by an operator. */
  async function join(partnerId: string, { email, token }: Player, terms: object = {}) {
    const { id } = succeed(await invite(partnerId, email));
    const accepted = succeed(await change(partnerId, id, { accepted: true }, token));
    return Object.keys(terms).length > 0 ? succeed(await change(partnerId, id, terms)) : accepted;
  }

  async function member(partnerId: string, terms: object = {}, traits: Traits = {}): Promise<Member> {
    const player = await user(traits);
    const { id } = await join(partnerId, player, terms);
    return { ...player, agreement: id };
  }

  const owner = (partnerId: string, traits: Traits = {}) => member(partnerId, { owner: true }, traits);

  /** Sets columns of a user, past the API. */
  const set = (userId: string, columns: Record<string, unknown>) =>
    sql(
      `update auth."user" set ${Object.keys(columns).map((name, index) => `${name} = $${index + 2}`)} where id = $1`,
      [userId, ...Object.values(columns)],
    );

  /** A permission group. Returns its id. */
  const group = async (
    partnerId: string,
    acl_permissions: object[] = [],
    name = `group ${newEmail()}`,
  ): Promise<string> =>
    succeed(await service.post(`/partners/${partnerId}/acl-permission-groups`, { name, acl_permissions })).id;

  /** Makes the player an operator, which ends their sessions, and gives them a new one. */
  async function appoint({ id }: Player, proven = false) {
    await set(id, { role: 'operator' });
    return session(id, proven);
  }

  /**
   * Creates a personal access token of the player. In a session without proof of the second factor, it is one
   * from before that factor.
   */
  async function newAccessToken(
    { id, token }: Player,
    scopes: object[] = [],
    partnerIds: string[] | null = null,
  ) {
    const body = { name: 'a program', scopes, partner_ids: partnerIds };
    const create = (bearer: string) => service.post('/me/access-tokens', body, bearer);
    const first = await create(token);
    if (first.body.code !== 'step_up_required') return succeed(first);
    const made = succeed(await create(await session(id, true)));
    await sql('update access_token set mfa_proven = false where user_id = $1 and prefix = $2', [
      id,
      made.prefix,
    ]);
    return made;
  }
  const accessToken = async (...of: Parameters<typeof newAccessToken>): Promise<string> =>
    (await newAccessToken(...of)).token;

  return {
    user,
    session,
    partner,
    invite,
    change,
    join,
    member,
    owner,
    set,
    group,
    appoint,
    newAccessToken,
    accessToken,
  };
}

/** A service for the tests of the file, and people for it. */
export function useCast(environment?: Parameters<typeof useService>[0]) {
  const service = useService(environment);
  return { service, cast: createCast(service) };
}

export function succeed({ status, body, method, path }: Response) {
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** The status of an answer, and the code of its error. */
export const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

/** The error has this code, which the contract allows with one status. A failure shows the whole answer. */
export async function expectCode(code: string, answer: PromiseLike<Response>) {
  const got = await answer;
  expect(got.body?.code, JSON.stringify(got)).toBe(code);
}

export const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

/** The status of an answer, and where the first fault of its body is. */
export const faultOf = ({ status, body }: { status: number; body: { errors?: { pointer: string }[] } }) => [
  status,
  body.errors?.[0]?.pointer,
];

export const stock = (quantity = 1) => ({ type: 'inventory.updated', data: { sku: 'a', quantity } });

/** The first fault of the body is there. */
export const expectFault = async (pointer: string, answer: PromiseLike<Response>) =>
  expect(faultOf(await answer)).toEqual([400, pointer]);

/** An id of the API as its row has it. */
export const uuidOf = (id: string) => parseId('partner', id.replace(/^\w+(?=_)/, 'ptr'))!;

export const pluck = <T = string>(list: Record<string, T>[], member: string) =>
  list.map((each) => each[member] as T);

export const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

export const atOnce = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(times(count, make));

/** A failure shows the whole answer. */
export async function expectStatus(status: number, answer: PromiseLike<{ status: number }>) {
  const got = await answer;
  expect(got.status, JSON.stringify(got)).toBe(status);
}
