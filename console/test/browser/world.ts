// The seeded world: partners, people, webhooks and their history, as a partner of some size has them.
import { randomUUID } from 'node:crypto';
import { formatId, newId, parseId } from '../../../server/src/base/ids.ts';
import { acl, createCast, succeed } from '../../../server/test/stage/cast.ts';
import type { Receiver } from '../../../server/test/stage/receiver.ts';
import { operator, type TestService } from '../../../server/test/stage/start-service.ts';

export const roles = [
  'operator',
  'owner',
  'viewer',
  'member without permissions',
  'invitee',
  "service account's owner",
  'stranger',
] as const;
export type Role = (typeof roles)[number];

/** Everybody has the password of the operator. */
export const password = operator.password;
export type Person = { id: string; email: string; name: string };
export type World = Awaited<ReturnType<typeof createWorld>>;

const names = [
  'Ingrid Solheim',
  'Bjørn-Erik Østergaard-Þórðarson',
  'Ana María Fernández de la Cruz y Martínez',
  'Nguyễn Thị Minh Khai',
  'Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine',
  'محمد عبد الله',
  '田中 さくら',
  'Li Na',
  "Siobhán O'Connor",
  'Oluwaseun Adébáyọ̀',
  'Jo',
  'Zoë Müller-Lüdenscheidt',
];
const longName =
  'Vereinigte Elektrizitätswerke Oberösterreich und Salzkammergut Netzbetriebs- und Beteiligungsgesellschaft mit beschränkter Haftung & Co. KG';
/** `Ana María de la Cruz`: `ana.maria.de`. */
const toAddress = (name: string): string =>
  (
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z]+/g) ?? ['person']
  )
    .slice(0, 3)
    .join('.');
/** Enough for more than one page of a list. */
const events = 60;

export async function createWorld(service: TestService, receiver: Receiver) {
  const cast = createCast(service);
  const { sql } = service.database;
  const post = async (path: string, body?: object) =>
    succeed(await service.request('POST', path, body ? { body } : {}));

  async function person(name: string, local: string): Promise<Person> {
    const id = newId('user');
    const email = `${local}@nordlys.example`;
    await sql(
      `with person as (
         insert into auth."user" (id, name, email, email_verified, role) values ($1, $2, $3, true, 'user') returning id)
       insert into auth.account (id, account_id, provider_id, user_id, password, updated_at)
       select $1, $1, 'credential', person.id, password, now() from person,
         (select password from auth.account where provider_id = 'credential' order by created_at limit 1) as known`,
      [id, name, email],
    );
    return { id, email, name };
  }

  async function join(partner: string, who: Person, terms: object): Promise<string> {
    const token = await cast.session(who.id);
    return (await cast.join(partner, { ...who, token }, terms)).id;
  }

  const partner = await cast.partner('Nordlys Energi AS');
  const within = `/partners/${partner}`;
  const empty = await cast.partner('Tomrom AS');
  const long = await cast.partner(longName);
  for (const name of ['Acme', 'Østlandet Vannverk', 'Ærlig Handel', 'Zephyr Shipping', 'Kaldt & Varmt'])
    await cast.partner(name);

  const owner = await person('Ingrid Solheim', 'ingrid');
  const viewer = await person('Nguyễn Thị Minh Khai', 'minh.khai');
  const powerless = await person('Jo', 'jo');
  const invitee = await person('Ana María Fernández de la Cruz y Martínez', 'ana.maria');
  const keeper = await person("Siobhán O'Connor", 'siobhan');
  const stranger = await person('Li Na', 'li.na');
  const operators = { id: '', email: operator.email, name: 'Operator' };

  const groups = succeed(await service.request('GET', `${within}/acl-permission-groups`)) as {
    id: string;
    name: string;
  }[];
  const viewers = groups.find(({ name }) => /view|read/i.test(name));
  if (viewers === undefined)
    throw new Error(`No managed group of viewers among ${groups.map(({ name }) => name).join(', ')}`);
  const agreements = {
    owner: await join(partner, owner, { owner: true }),
    viewer: await join(partner, viewer, { acl_permission_group_ids: [viewers.id] }),
    powerless: await join(partner, powerless, {}),
    keeper: await join(partner, keeper, { acl_permissions: [acl('agreements'), acl('partner', 'get')] }),
    invitee: '',
  };
  for (const each of [empty, long]) await join(each, owner, { owner: true });
  const terms = { acl_permission_group_ids: [viewers.id], expires_at: '2031-03-01T00:00:00Z' };
  agreements.invitee = succeed(await cast.invite(partner, invitee.email)).id;
  succeed(await cast.change(partner, agreements.invitee, terms));
  for (const [index, name] of names.entries())
    await join(partner, await person(name, `${toAddress(name)}${index + 1}`), {
      acl_permission_group_ids: [viewers.id],
    });

  const group = (
    await post(`${within}/acl-permission-groups`, {
      name: 'Warehouse integrations',
      acl_permissions: [acl('events', 'post', 'query')],
    })
  ).id;
  const serviceAccount = (await post(`${within}/service-accounts`, { name: 'Stock exporter' })).id;

  const healthy = (
    await post(`${within}/webhook-endpoints`, { url: receiver.url(), description: 'Warehouse in Bergen' })
  ).id;
  const failingUrl = receiver.url((_, response) => response.writeHead(500).end('The database is down'));
  const failing = (
    await post(`${within}/webhook-endpoints`, {
      url: failingUrl,
      description: 'The old ERP, kept until the migration of the year-end accounts has been signed off',
    })
  ).id;
  const paused = (await post(`${within}/webhook-endpoints`, { url: receiver.url() })).id;
  await post(`${within}/webhook-endpoints/${paused}/pause`);
  let event = '';
  for (let n = 1; n <= events; n++)
    event = (
      await post(`${within}/events`, { type: 'inventory.updated', data: { sku: `NX-${n}`, quantity: n } })
    ).id;

  /** The directory of the connection has sent people and groups, and was refused something. */
  async function provisioning(connection: string, of: string | null): Promise<void> {
    await sql(
      `insert into provisioning_token (connection_id, partner_id, token_hash, prefix, last_used_at)
       values ($1, $2, 'none', 'concord_scim_4fK9aQ', now() - interval '4 minutes')`,
      [connection, of],
    );
    for (const userName of [
      'kari.moe@nordlys-energi.example',
      'ola.berg@nordlys-energi.example',
      'extern.17',
    ])
      await sql(
        `insert into provisioned_user (id, partner_id, connection_id, document, email_key) values ($1, $2, $3, $4, $5)`,
        [randomUUID(), of, connection, { userName, active: true }, userName.includes('@') ? userName : null],
      );
    for (const displayName of ['Warehouse', 'Finance'])
      await sql(
        `insert into provisioned_group (id, partner_id, connection_id, document) values ($1, $2, $3, $4)`,
        [randomUUID(), of, connection, { displayName }],
      );
    const member =
      'select connection_id, id, (select id from provisioned_user limit 1) from provisioned_group limit 1';
    await sql(
      `insert into provisioned_member (connection_id, provisioned_group_id, provisioned_user_id) ${member}`,
    );
    for (const [method, status, detail] of [
      ['POST', 201, null],
      [
        'POST',
        400,
        'invalidValue: Neither userName nor emails have an address of a verified domain of the connection.',
      ],
      ['GET', 200, null],
    ])
      await sql(
        `insert into provisioning_request (connection_id, method, path, status, detail) values ($1, $2, '/Users', $3, $4)`,
        [connection, method, status, detail],
      );
  }

  /** A connection that is on, with a domain in each state. Nobody signs in with it. */
  async function connection(): Promise<string> {
    const [id, of] = [randomUUID(), parseId('partner', partner)];
    await sql(
      `insert into identity_connection (id, partner_id, name, issuer, client_id, authentication, secret, enabled, tested_at,
         admits_new_members, new_member_days, terms_by)
       values ($1, $2, 'Nordlys Entra ID', 'https://login.microsoftonline.com/2f6c1a40-7c1e-4b0e-9d0a-5b1f0c3a9d11/v2.0',
         'c0ffee00-1f2e-4d3c-8b5a-697887a6b5c4', 'client_secret_post', '', true, now(), true, 365, $3)`,
      [id, of, owner.id],
    );
    for (const [domain, verified, lost] of [
      ['nordlys-energi.example', '30 days', null],
      ['nordlys-energi.no.example', '30 days', '2 days'],
      ['nordlys-nett.example', null, null],
    ])
      await sql(
        `insert into identity_domain (id, partner_id, connection_id, domain, proof, verified_at, checked_at, last_check, lost_at)
         values ($1, $2, $3, $4, $5, now() - $6::interval, now() - interval '5 minutes', $7, now() - $8::interval)`,
        [
          ...[randomUUID(), of, id, domain, 'concord-domain=K7t0bZ2yVwq3n5p8s1xdhA', verified],
          ...[verified !== null && lost === null ? 'found' : 'missing', lost],
        ],
      );
    await provisioning(id, of);
    return formatId('identity_connection', id);
  }

  /** A delivery that has failed for good. */
  async function failedDelivery(): Promise<string> {
    const path = `${within}/deliveries?filter[endpoint_id]=${failing}&filter[status]=failed`;
    for (;;) {
      const [found] = succeed(await service.request('GET', path)) as { id: string }[];
      if (found) return found.id;
      await sql('select pg_sleep(0.05)');
    }
  }

  /** An open access review, in which somebody has decided something. */
  async function review(): Promise<string> {
    const reviews = `${within}/access-reviews`;
    succeed(await service.put(`${within}/access-review-policy`, { interval_days: 90 }));
    await service.runTask('run access reviews');
    const [opened] = succeed(await service.get(reviews));
    succeed(await service.post(`${reviews}/${opened.id}/items/${agreements.viewer}/confirm`));
    return opened.id;
  }

  /** The path of a checkpoint, of a partner of its own: it is an event too. */
  async function checkpoint(): Promise<string> {
    const endpoints = `/partners/${long}/webhook-endpoints`;
    const { id } = await post(endpoints, { url: receiver.url(), checkpoint_minutes: 60 });
    for (const quantity of [1, 2, 3])
      await post(`/partners/${long}/events`, { type: 'inventory.updated', data: { sku: 'NX-1', quantity } });
    await sql("update checkpoint_chain set due_at = now() - interval '1 second'");
    await service.runTask('make checkpoints');
    const [made] = succeed(await service.get(`${endpoints}/${id}/checkpoints`));
    return `/p/${long}/webhooks/endpoints/${id}/checkpoints/${made.id}`;
  }

  return {
    people: {
      operator: operators,
      owner,
      viewer,
      'member without permissions': powerless,
      invitee,
      "service account's owner": keeper,
      stranger,
    } satisfies Record<Role, Person>,
    partner,
    empty,
    long,
    agreements,
    group,
    serviceAccount,
    event,
    endpoints: { healthy, failing, paused },
    failingUrl,
    connection: await connection(),
    review: await review(),
    delivery: await failedDelivery(),
    checkpoint: await checkpoint(),
    record: succeed(
      await service.request('GET', `${within}/audit-log?filter[action]=agreement.update&page_size=1`),
    )[0].id as string,
  };
}
