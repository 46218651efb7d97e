// Every kind of caller, each in a world of its own: a partner with an owner, an agreement, a group and a service account.

import type { Operation, World } from './access-operations.ts';
import { acl, type Cast, succeed } from './cast.ts';
import type { TestService } from './start-service.ts';

const nobodys = { agreement: 'agr_01h2xcejqtf2nbrexx3vqjhp41', token: 'pat_01h2xcejqtf2nbrexx3vqjhp41' };
type Caller = { token: string | null; own?: string; ownToken?: string };
type Stage = { service: TestService; cast: Cast; partner: string; bit: object[]; allBut: object[] };
export type CallerKind = {
  name: string;
  /** The service asks a second factor of operators. */
  strict?: true;
  enter(stage: Stage): Promise<Caller>;
};

const asMember =
  (terms: (stage: Stage) => object, traits = {}) =>
  async ({ cast, partner, ...stage }: Stage): Promise<Caller> => {
    const player = await cast.member(partner, terms({ cast, partner, ...stage }), traits);
    return { token: player.token, own: player.agreement, ownToken: await tokenId(stage.service, player.token) };
  };

/** Some access token of the caller, to be revoked. */
async function tokenId(service: TestService, token: string): Promise<string> {
  return succeed(await service.request('POST', '/me/access-tokens', { token, body: { name: 'own', scopes: [] } })).id;
}

const withToken =
  (scopes: (stage: Stage) => object[], { elsewhere = false, traits = {}, terms = {} } = {}) =>
  async (stage: Stage): Promise<Caller> => {
    const { cast, partner } = stage;
    const player = await cast.member(partner, { owner: true, ...terms }, traits);
    const token = await cast.accessToken(player, scopes(stage), elsewhere ? [await cast.partner()] : null);
    return { token, own: player.agreement };
  };

const asOperator =
  (secondFactor: 'not_enabled' | 'proven') =>
  async ({ cast, service, partner }: Stage): Promise<Caller> => {
    const { id, token, agreement } = await cast.member(partner, {}, { secondFactor });
    await service.database.sql(`update auth."user" set role = 'operator' where id = $1`, [id]);
    return { token, own: agreement, ownToken: await tokenId(service, token) };
  };

const everyBit = [acl('*')];
const asks = { mfa_required: true };

export const callers: readonly CallerKind[] = [
  { name: 'nobody', enter: async () => ({ token: null }) },
  { name: 'garbled token', enter: async () => ({ token: 'x'.repeat(32) }) },
  {
    name: 'expired session',
    async enter(stage) {
      const caller = await asMember(() => ({ owner: true }))(stage);
      await stage.service.database.sql(`update auth.session set expires_at = now() where token = $1`, [caller.token]);
      return caller;
    },
  },
  { name: 'stranger', enter: async ({ cast }) => ({ token: (await cast.user()).token }) },
  {
    name: "other partner's owner",
    async enter({ cast }) {
      const player = await cast.member(await cast.partner(), { owner: true });
      return { token: player.token, own: player.agreement };
    },
  },
  {
    name: 'invited, pending',
    async enter({ cast, partner }) {
      const player = await cast.user();
      const { id } = succeed(await cast.invite(partner, player.email, { owner: true }));
      succeed(await cast.change(partner, id, { acl_permissions: everyBit }));
      return { token: player.token, own: id };
    },
  },
  { name: 'expired owner', enter: asMember(() => ({ owner: true, expires_at: '2020-01-01T00:00:00Z' })) },
  {
    name: 'banned owner',
    async enter(stage) {
      const caller = await asMember(() => ({ owner: true }))(stage);
      await stage.service.database.sql(
        `update auth."user" set banned = true where id = (select user_id from auth.session where token = $1)`,
        [caller.token],
      );
      return caller;
    },
  },
  { name: 'member, every bit but this', enter: asMember(({ allBut }) => ({ acl_permissions: allBut })) },
  { name: 'member, this bit', enter: asMember(({ bit }) => ({ acl_permissions: bit })) },
  {
    name: 'member, this bit by a group',
    async enter(stage) {
      const { service, partner, bit } = stage;
      const body = { name: 'this bit', acl_permissions: bit };
      const { id } = succeed(await service.request('POST', `/partners/${partner}/acl-permission-groups`, { body }));
      return asMember(() => ({ acl_permission_group_ids: [id] }))(stage);
    },
  },
  {
    name: 'member, second factor asked and missing',
    enter: asMember(({ bit }) => ({ acl_permissions: bit, ...asks }), { secondFactor: 'missing' }),
  },
  {
    name: 'member, second factor asked and proven',
    enter: asMember(({ bit }) => ({ acl_permissions: bit, ...asks }), { secondFactor: 'proven' }),
  },
  { name: "owner's token, every scope but this", enter: withToken(({ allBut }) => allBut) },
  { name: "owner's token, this scope", enter: withToken(({ bit }) => bit) },
  { name: "owner's token, other partner", enter: withToken(() => everyBit, { elsewhere: true }) },
  {
    name: "owner's token, second factor asked and missing",
    enter: withToken(() => everyBit, { traits: { secondFactor: 'missing' }, terms: asks }),
  },
  {
    name: "owner's token, second factor asked and proven",
    enter: withToken(() => everyBit, { traits: { secondFactor: 'proven' }, terms: asks }),
  },
  {
    name: 'service account, this bit',
    async enter({ service, cast, partner, bit }) {
      const path = `/partners/${partner}/service-accounts`;
      const account = succeed(await service.request('POST', path, { body: { name: 'robot' } }));
      succeed(await cast.change(partner, account.agreement_id, { acl_permissions: bit }));
      const body = { name: 'token', scopes: everyBit };
      const { token } = succeed(await service.request('POST', `${path}/${account.id}/access-tokens`, { body }));
      return { token, own: account.agreement_id };
    },
  },
  { name: 'owner', enter: asMember(() => ({ owner: true })) },
  {
    name: 'owner, second factor asked and missing',
    enter: asMember(() => ({ owner: true, ...asks }), { secondFactor: 'missing' }),
  },
  {
    name: 'owner, second factor asked and proven',
    enter: asMember(() => ({ owner: true, ...asks }), { secondFactor: 'proven' }),
  },
  { name: 'operator', enter: asOperator('not_enabled') },
  { name: 'operator, second factor asked and missing', strict: true, enter: asOperator('not_enabled') },
  { name: 'operator, second factor asked and proven', strict: true, enter: asOperator('proven') },
];

const resources = ['partner', 'agreements', 'acl_permission_groups', 'audit_log', 'webhook_endpoints', 'events', 'deliveries'];
const methods = ['get', 'put', 'post', 'patch', 'delete', 'query'];

/** A world for one request, with as much in it as that asks for. An operator who may do everything sets it up. */
export async function setStage(service: TestService, cast: Cast, { name, permission }: Operation, kind: CallerKind) {
  const partner = await cast.partner();
  const within = `/partners/${partner}`;
  const make = async (path: string, body: object): Promise<string> => succeed(await service.request('POST', path, { body })).id;
  const bystander = await cast.user();
  // So that no caller is the last one.
  await cast.join(partner, await cast.user(), { owner: true });
  const agreement = name.includes('agreement_id') ? succeed(await cast.invite(partner, bystander.email)).id : '';
  const group = name.includes('groups/')
    ? await make(`${within}/acl-permission-groups`, { name: 'group', acl_permissions: [] })
    : '';
  const serviceAccount = name.includes('service_account_id') ? await make(`${within}/service-accounts`, { name: 'robot' }) : '';
  const tokens = `${within}/service-accounts/${serviceAccount}/access-tokens`;
  const serviceToken = name.includes('token_id') && serviceAccount ? await make(tokens, { name: 'token', scopes: [] }) : '';
  const url = 'https://hooks.example.com/';
  const needsEndpoint = name.includes('endpoint_id') || name.includes('delivery_id');
  const endpoint = needsEndpoint ? await make(`${within}/webhook-endpoints`, { url }) : '';
  const recovery = name.includes('job_id')
    ? await make(`${within}/webhook-endpoints/${endpoint}/recover`, { since: '2026-01-01T00:00:00Z' })
    : '';
  const delivery = name.includes('delivery_id') ? await makeDelivery(service, within, endpoint) : '';

  const [resource, method] = permission ?? ['', ''];
  const bit = permission ? [acl(resource, method)] : [];
  const allBut = resources.map((each) => acl(each, ...(each === resource ? methods.filter((one) => one !== method) : methods)));
  const caller = await kind.enter({ service, cast, partner, bit, allBut });
  const { token, own = nobodys.agreement, ownToken = nobodys.token } = caller;
  const world: World = {
    partner,
    agreement,
    group,
    serviceAccount,
    serviceToken,
    endpoint,
    delivery,
    recovery,
    own,
    ownToken,
    user: bystander.id,
  };
  return { world, token };
}

/** One that waits, since its endpoint is paused. */
async function makeDelivery(service: TestService, within: string, endpoint: string): Promise<string> {
  succeed(await service.request('POST', `${within}/webhook-endpoints/${endpoint}/pause`));
  const body = { type: 'inventory.updated', data: { sku: 'a', quantity: 1 } };
  succeed(await service.request('POST', `${within}/events`, { body }));
  return succeed(await service.request('GET', `${within}/deliveries`))[0].id;
}
