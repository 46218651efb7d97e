// Every kind of caller: the columns of the access matrix.
import { newId } from '../../src/base/ids.ts';
import { acl, type Cast, hasEnded, type Player, succeed, uuidOf } from '../stage/cast.ts';
import type { TestService } from '../stage/start-service.ts';

export type Caller = {
  token: string | null;
  /** The caller's agreement with the partner, when there is one. */
  own?: string;
  /** Who may have access tokens, for the operation that revokes one. */
  userId?: string;
};
type Stage = {
  service: TestService;
  cast: Cast;
  partner: string;
  /**
   * `bit`: only the permission that the operation requires; `allBut`: every other one. Empty unless the kind
   * is `byPermission`.
   */
  bit: object[];
  allBut: object[];
};
export type CallerKind = {
  name: string;
  /** The service asks operators for a second factor. */
  strict?: true;
  /** The caller's permissions depend on the permission that the operation requires. */
  byPermission?: true;
  enter(stage: Stage): Promise<Caller>;
};

type Terms = {
  owner?: boolean;
  mfa_required?: boolean;
  expires_at?: string;
  acl_permissions?: object[];
  group?: string;
};

/** An accepted agreement, inserted into the database: the matrix needs hundreds. Returns its id. */
export async function insertAgreement(
  { sql }: Pick<TestService, 'sql'>,
  partner: string,
  { id: userId, email }: Player,
  { owner = false, mfa_required = false, expires_at, acl_permissions = [], group }: Terms = {},
) {
  const id = newId('agreement');
  await sql(
    `with made as (
       insert into agreement (id, partner_id, user_id, email, email_key, owner, mfa_required, expires_at, acl_permissions)
       values ($1, $2, $3, $4, $4, $5, $6, $7, $8) returning id, partner_id)
     insert into agreement_group (agreement_id, partner_id, account_id, group_id, position)
     select id, partner_id, partner_id, $9::uuid, 1 from made where $9 is not null`,
    [
      ...[uuidOf(id), uuidOf(partner), userId, email, owner, mfa_required, expires_at],
      ...[JSON.stringify(acl_permissions), group && uuidOf(group)],
    ],
  );
  return id;
}

const asMember =
  (terms: (stage: Stage) => Terms, traits = {}) =>
  async (stage: Stage): Promise<Caller> => {
    const player = await stage.cast.user(traits);
    const own = await insertAgreement(stage.service, stage.partner, player, terms(stage));
    return { token: player.token, own, userId: player.id };
  };

const withToken =
  (scopes: (stage: Stage) => object[], { elsewhere = false, traits = {}, terms = {} } = {}) =>
  async (stage: Stage): Promise<Caller> => {
    const { service, cast, partner } = stage;
    const player = await cast.user(traits);
    const own = await insertAgreement(service, partner, player, { owner: true, ...terms });
    const token = await cast.accessToken(player, scopes(stage), elsewhere ? [await cast.partner()] : null);
    return { token, own };
  };

const asOperator =
  (secondFactor: 'not_enabled' | 'proven') =>
  async (stage: Stage): Promise<Caller> => {
    const player = await stage.cast.user({ secondFactor });
    const own = await insertAgreement(stage.service, stage.partner, player);
    const token = await stage.cast.appoint(player, secondFactor === 'proven');
    return { token, own, userId: player.id };
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
      await stage.service.sql(
        `update auth.session set expires_at = now() - interval '1 second' where token = encode(sha256($1), 'hex')`,
        [caller.token],
      );
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
  { name: 'expired owner', enter: asMember(() => ({ owner: true, ...hasEnded })) },
  {
    name: 'banned owner',
    async enter(stage) {
      const caller = await asMember(() => ({ owner: true }))(stage);
      await stage.service.sql(
        `update auth."user" set banned = true where id = (select user_id from auth.session where token = encode(sha256($1), 'hex'))`,
        [caller.token],
      );
      return caller;
    },
  },
  {
    name: 'member, every bit but this',
    byPermission: true,
    enter: asMember(({ allBut }) => ({ acl_permissions: allBut })),
  },
  { name: 'member, this bit', byPermission: true, enter: asMember(({ bit }) => ({ acl_permissions: bit })) },
  {
    name: 'member, this bit by a group',
    byPermission: true,
    async enter(stage) {
      const group = await stage.cast.group(stage.partner, stage.bit);
      return asMember(() => ({ group }))(stage);
    },
  },
  {
    name: 'member, second factor missing',
    byPermission: true,
    enter: asMember(({ bit }) => ({ acl_permissions: bit, ...asks }), { secondFactor: 'missing' }),
  },
  {
    name: 'member, second factor proven',
    byPermission: true,
    enter: asMember(({ bit }) => ({ acl_permissions: bit, ...asks }), { secondFactor: 'proven' }),
  },
  {
    name: "owner's token, every scope but this",
    byPermission: true,
    enter: withToken(({ allBut }) => allBut),
  },
  { name: "owner's token, this scope", byPermission: true, enter: withToken(({ bit }) => bit) },
  { name: "owner's token, other partner", enter: withToken(() => everyBit, { elsewhere: true }) },
  {
    name: "owner's token, second factor missing",
    enter: withToken(() => everyBit, { traits: { secondFactor: 'missing' }, terms: asks }),
  },
  {
    name: "owner's token, second factor proven",
    enter: withToken(() => everyBit, { traits: { secondFactor: 'proven' }, terms: asks }),
  },
  {
    name: 'service account, this bit',
    byPermission: true,
    async enter({ service, cast, partner, bit }) {
      const path = `/partners/${partner}/service-accounts`;
      const account = succeed(await service.post(path, { name: 'robot' }));
      succeed(await cast.change(partner, account.agreement_id, { acl_permissions: bit }));
      const body = { name: 'token', scopes: everyBit };
      const { token } = succeed(await service.post(`${path}/${account.id}/access-tokens`, body));
      return { token, own: account.agreement_id };
    },
  },
  { name: 'owner', enter: asMember(() => ({ owner: true })) },
  {
    name: 'owner, second factor missing',
    enter: asMember(() => ({ owner: true, ...asks }), { secondFactor: 'missing' }),
  },
  {
    name: 'owner, second factor proven',
    enter: asMember(() => ({ owner: true, ...asks }), { secondFactor: 'proven' }),
  },
  {
    name: 'owner, single sign-on missing',
    async enter(stage) {
      const caller = await asMember(() => ({ owner: true }))(stage);
      await stage.service.sql('update agreement set sso_required = true where id = $1', [
        uuidOf(caller.own ?? ''),
      ]);
      return caller;
    },
  },
  { name: 'operator', enter: asOperator('not_enabled') },
  { name: 'operator, second factor missing', strict: true, enter: asOperator('not_enabled') },
  { name: 'operator, second factor proven', strict: true, enter: asOperator('proven') },
];
