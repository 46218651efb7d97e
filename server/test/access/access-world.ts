// The worlds of the access matrix. A refused operation changes nothing, so one world serves many operations.
// An operation that succeeds uses up its objects.

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { acl, type Cast, stock, succeed, uuidOf } from '../stage/cast.ts';
import type { TestService } from '../stage/start-service.ts';
import { type Caller, type CallerKind, insertAgreement } from './access-callers.ts';
import { methods } from './access-model.ts';
import { namedResources, type Operation, type World } from './access-operation.ts';

const nobodys = { agreement: 'agr_01h2xcejqtf2nbrexx3vqjhp41', token: 'pat_01h2xcejqtf2nbrexx3vqjhp41' };

type Play = { service: TestService; cast: Cast };
type Thing = Exclude<keyof World, 'partner' | 'own'>;
/**
 * The operations that act on this kind of object, or on an object that belongs to one. In the order of
 * creation: later objects belong to earlier ones.
 */
const usersOf: Readonly<Record<Thing, RegExp>> = {
  user: /\/users\/|agreement_id/,
  agreement: /agreement_id/,
  request: /access_request_id\}(?!\/revoke)/,
  approved: /access_request_id\}\/revoke/,
  reviewed: /review_id/,
  review: /review_id/,
  group: /groups\//,
  serviceAccount: /service_account_id/,
  serviceToken: /service_account_id.*token_id/,
  connection: /connection_id/,
  domain: /connection_id.*(domain_id|enable)/,
  provisionedGroup: /provisioned_group_id/,
  endpoint: /endpoint_id|delivery_id/,
  signingSecret: /signing-secret/,
  clientCertificate: /client-certificate/,
  checkpoint: /checkpoint_id/,
  replay: /replay_id/,
  delivery: /delivery_id/,
  event: /event_id/,
  receiver: /sandbox-receiver/,
  record: /record_id/,
  ownToken: /\/me\/access-tokens\/\{/,
};
const things = Object.keys(usersOf) as Thing[];
const needs = ({ name }: Operation, thing: Thing) => usersOf[thing].test(name);
/** Known by their endpoint: another one has none. */
const isOfEndpoint = (thing: Thing) => thing === 'signingSecret' || thing === 'clientCertificate';

type OpenWorld = { partner: string; caller: Caller; made: Partial<World>; userEmail: string };

/** The worlds of one kind of caller. An operator with every permission sets them up. */
export function createWorlds({ service, cast }: Play, kind: CallerKind) {
  const worlds = new Map<string, OpenWorld>();
  const keyOf = ({ permission }: Operation) => (kind.byPermission ? permission : '');
  const post = async (path: string, body?: object) => succeed(await service.request('POST', path, { body }));

  async function open({ permission }: Operation): Promise<OpenWorld> {
    const partner = await cast.partner();
    // The partner has another owner, so no caller is the last one. Each permission has a partner: SQL is quicker.
    await insertAgreement(service, partner, await cast.user(), { owner: true });
    const [resource = '', method = ''] = permission.split('.');
    const bit = permission ? [acl(resource, method)] : [];
    const allBut = namedResources.map((each) =>
      acl(each, ...(each === resource ? methods.filter((one) => one !== method) : methods)),
    );
    const caller = await kind.enter({
      service,
      cast,
      partner,
      ...(kind.byPermission ? { bit, allBut } : { bit: [], allBut: [] }),
    });
    return { partner, caller, made: {}, userEmail: '' };
  }

  const isReplaying = async (partner: string): Promise<boolean> =>
    succeed(await service.get(`/partners/${partner}/replays`)).some(
      ({ completed_at }: { completed_at: string | null }) => completed_at === null,
    );

  /** Of somebody else: what whoever may approve it needs to hold anyway. */
  async function ask(partner: string) {
    const asker = await cast.user();
    await insertAgreement(service, partner, asker);
    const body = { permissions: ['agreements.patch'], duration_seconds: 3_600, reason: 'Support' };
    return succeed(await service.post(`/partners/${partner}/access-requests`, body, asker.token));
  }

  async function make(world: OpenWorld, thing: Thing): Promise<string> {
    const { partner, made, caller } = world;
    const within = `/partners/${partner}`;
    const endpoint = `${within}/webhook-endpoints/${made.endpoint}`;
    switch (thing) {
      case 'user': {
        const { id, email } = await cast.user();
        world.userEmail = email;
        return id;
      }
      case 'agreement':
        return succeed(await cast.invite(partner, world.userEmail)).id;
      case 'request':
        return (await ask(partner)).id;
      case 'approved': {
        const { id } = await ask(partner);
        return (await post(`${within}/access-requests/${id}/approve`)).id;
      }
      case 'reviewed':
        return insertAgreement(service, partner, await cast.user());
      case 'review': {
        const id = newId('access_review');
        const uuids = [uuidOf(id), uuidOf(partner)];
        await service.pauseTask('run access reviews');
        await service.sql('delete from access_review where partner_id = $1', uuids.slice(1));
        await service.sql(
          `insert into access_review (id, partner_id, warning_days, step_at, due_at)
           values ($1, $2, 1, now() + interval '1 day', now() + interval '2 days')`,
          uuids,
        );
        await service.sql(
          `insert into access_review_item (review_id, agreement_id, service_account, owner, acl_permissions, group_names)
           select $1, id, false, owner, acl_permissions, '{}' from agreement where partner_id = $2 and user_id is not null`,
          uuids,
        );
        return id;
      }
      case 'group':
        return cast.group(partner);
      case 'serviceAccount':
        return (await post(`${within}/service-accounts`, { name: 'robot' })).id;
      case 'serviceToken':
        return (
          await post(`${within}/service-accounts/${made.serviceAccount}/access-tokens`, {
            name: 'token',
            scopes: [],
          })
        ).id;
      case 'connection': {
        const id = newId('identity_connection');
        await service.sql(
          `insert into identity_connection
             (id, partner_id, name, issuer, client_id, authentication, secret, tested_at)
           values ($1, $2, 'Directory', 'https://login.example', 'concord', 'client_secret_basic', '', now())`,
          [uuidOf(id), uuidOf(partner)],
        );
        await service.sql(
          `insert into provisioning_token (connection_id, partner_id, token_hash, prefix)
           select id, partner_id, uuid_send(id), 'concord_scim_' from identity_connection where id = $1`,
          [uuidOf(id)],
        );
        return id;
      }
      case 'provisionedGroup': {
        const id = newId('provisioned_group');
        await service.sql(
          `insert into provisioned_group (id, partner_id, connection_id, document) values ($1, $2, $3, '{"displayName": "Sales"}')`,
          [uuidOf(id), uuidOf(partner), uuidOf(String(made.connection))],
        );
        return id;
      }
      case 'domain': {
        const id = newId('identity_domain');
        await service.sql(
          `insert into identity_domain (id, partner_id, connection_id, domain, proof, verified_at, checked_at)
           values ($1, $2, $3, $4, 'none', now(), now())`,
          [uuidOf(id), uuidOf(partner), uuidOf(String(made.connection)), `${randomUUID()}.example`],
        );
        return id;
      }
      case 'record':
        return succeed(await service.get(`${within}/audit-log?page_size=1`))[0].id;
      case 'endpoint':
        return (await post(`${within}/webhook-endpoints`, { url: 'https://hooks.example.com/' })).id;
      case 'signingSecret':
      case 'clientCertificate':
        await post(`${endpoint}/${thing === 'signingSecret' ? 'signing-secret' : 'client-certificate'}`);
        return String(made.endpoint);
      case 'ownToken': {
        if (caller.userId === undefined) return nobodys.token;
        const id = newId('access_token');
        await service.sql(
          `insert into access_token (id, user_id, name, token_hash, prefix, scopes, mfa_proven, expires_at)
           values ($1, $2, 'a program', uuid_send($1), '', '[]', false, now() + interval '1 day')`,
          [uuidOf(id), caller.userId],
        );
        return id;
      }
      case 'checkpoint': {
        succeed(await service.patch(endpoint, { checkpoint_minutes: 1 }));
        await service.sql(
          `update checkpoint_chain set due_at = now() - interval '1 second' where endpoint_id = $1`,
          [uuidOf(String(made.endpoint))],
        );
        await service.runTask('make checkpoints');
        const list = async () => succeed(await service.get(`${endpoint}/checkpoints`));
        await expect.poll(list).not.toHaveLength(0);
        return (await list())[0].id;
      }
      case 'replay':
        // A partner has one running replay at a time, and an operation may have started one.
        await expect.poll(() => isReplaying(partner)).toBe(false);
        return (await post(`${within}/deliveries/replay`, { status: 'failed' })).id;
      case 'receiver':
        return succeed(await service.put(`${within}/sandbox-receiver`)).url;
      case 'event':
        return (await post(`${within}/events`, stock())).id;
      case 'delivery': {
        // The endpoint is paused, so the delivery stays pending.
        await post(`${endpoint}/pause`);
        await post(`${within}/events`, stock());
        const path = `${within}/deliveries?filter[endpoint_id]=${made.endpoint}`;
        const { id } = succeed(await service.get(path))[0];
        await service.sql(
          `with tried as (update delivery set attempt_count = 1 where id = $1 returning id)
           insert into attempt (delivery_id, number, started_at, duration_ms) select id, 1, now(), 0 from tried
           on conflict do nothing`,
          [uuidOf(id)],
        );
        return id;
      }
    }
  }

  return {
    /** A world with every object that the operation acts on. */
    async enter(operation: Operation): Promise<{ world: World; token: string | null }> {
      const world = worlds.get(keyOf(operation)) ?? (await open(operation));
      worlds.set(keyOf(operation), world);
      const { partner, caller, made } = world;
      for (const thing of things) {
        if (!needs(operation, thing)) continue;
        if (isOfEndpoint(thing) && made[thing] !== made.endpoint) delete made[thing];
        made[thing] ??= await make(world, thing);
      }
      const nothing = Object.fromEntries(things.map((thing) => [thing, ''])) as Record<Thing, string>;
      const { own = nobodys.agreement } = caller;
      return { world: { ...nothing, ...made, partner, own }, token: caller.token };
    },
    /** Call this after an operation succeeds: the next operation gets new objects. */
    done(operation: Operation) {
      if (operation.consumes === 'world') worlds.delete(keyOf(operation));
      const made = worlds.get(keyOf(operation))?.made ?? {};
      for (const thing of things) if (needs(operation, thing)) delete made[thing];
    },
  };
}
