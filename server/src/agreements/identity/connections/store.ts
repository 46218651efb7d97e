// The SQL of identity connections.
import sql from 'sql-template-tag';
import { readOf } from '../../../access/index.ts';
import { formatId, parseId } from '../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { movedForward } from '../../../base/postgres/sql/clock.ts';
import { listOf } from '../../../base/postgres/sql/keyset.ts';
import { columnList, hasRows, requireRow } from '../../../base/postgres/sql/rows.ts';
import type { PermissionGroup } from '../../agreement.ts';

/** Ids are bare UUIDs. */
export type ConnectionRow = {
  connection_id: string;
  partner_id: string;
  name: string;
  issuer: string;
  client_id: string;
  authentication: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
  secret: Buffer;
  public_jwk: object | null;
  enabled: boolean;
  tested_at: Date | null;
  revision: number;
  new_members: boolean;
  new_member_days: number | null;
  new_member_mfa_required: boolean;
  group_ids: string[];
  created_at: Date;
  updated_at: Date;
};

const storedNames = [
  ...(['partner_id', 'name', 'issuer', 'client_id', 'authentication', 'secret', 'public_jwk'] as const),
  ...(['enabled', 'tested_at', 'revision', 'new_members', 'new_member_days'] as const),
  ...(['new_member_mfa_required', 'created_at', 'updated_at'] as const),
] satisfies (keyof ConnectionRow)[];
const columns = sql`item.id as connection_id, ${columnList(storedNames, 'item')},
  array(select group_id from identity_connection_group where connection_id = item.id order by position) as group_ids`;

/** The connection that the path names. */
export const connectionRead = readOf<ConnectionRow>('identity_connection', columns, {
  parameter: 'connection_id',
  lock: 'update',
});

export type Content = Pick<
  ConnectionRow,
  | 'name'
  | 'issuer'
  | 'client_id'
  | 'authentication'
  | 'secret'
  | 'public_jwk'
  | 'new_members'
  | 'new_member_days'
  | 'new_member_mfa_required'
>;

export const insertConnection = (
  tx: Transaction,
  { id, partnerId, termsBy }: { id: string; partnerId: string; termsBy: string },
  content: Content,
) =>
  tx.write(sql`
    insert into identity_connection (id, partner_id, name, issuer, client_id, authentication, secret, public_jwk,
      new_members, new_member_days, new_member_mfa_required, terms_by)
    values (${id}, ${partnerId}, ${content.name}, ${content.issuer}, ${content.client_id}, ${content.authentication},
      ${content.secret}, ${content.public_jwk}, ${content.new_members}, ${content.new_member_days},
      ${content.new_member_mfa_required}, ${termsBy})`);

/**
 * `termsBy` undefined: the terms stay those of who set them. `isOther`: the provider or the client is another
 * one, so nothing is tested, and a sign-in that is under way does not complete.
 */
export const updateConnection = (
  tx: Transaction,
  id: string,
  content: Content,
  { termsBy, isOther, isChanged }: { termsBy: string | undefined; isOther: boolean; isChanged: boolean },
) =>
  tx.write(sql`
    update identity_connection set name = ${content.name}, issuer = ${content.issuer}, client_id = ${content.client_id},
      authentication = ${content.authentication}, secret = ${content.secret}, public_jwk = ${content.public_jwk},
      new_members = ${content.new_members}, new_member_days = ${content.new_member_days},
      new_member_mfa_required = ${content.new_member_mfa_required},
      terms_by = coalesce(${termsBy ?? null}, terms_by),
      updated_at = case when ${isChanged} then ${movedForward()} else updated_at end,
      revision = revision + ${isOther ? 1 : 0}, enabled = enabled and not ${isOther},
      tested_at = case when ${isOther} then null else tested_at end,
      tested_by = case when ${isOther} then null else tested_by end
    where id = ${id}`);

export async function setGroups(
  tx: Transaction,
  { id, partnerId }: { id: string; partnerId: string },
  groups: readonly Pick<PermissionGroup, 'id' | 'account_id'>[],
): Promise<void> {
  await tx.query(sql`delete from identity_connection_group where connection_id = ${id}`);
  const uuids = groups.map((group) => parseId('permission_group', group.id));
  await tx.query(sql`
    insert into identity_connection_group (connection_id, partner_id, group_id, account_id, position)
    select ${id}, ${partnerId}, permission_group.id, permission_group.account_id, asked.position
    from unnest(${uuids}::uuid[]) with ordinality as asked (id, position)
    join permission_group on permission_group.id = asked.id`);
}

/** Sign-ins that are under way when it is turned off do not complete, also if it is on again by then. */
export const setEnabled = (tx: Transaction, id: string, enabled: boolean) =>
  tx.write(sql`
    update identity_connection set enabled = ${enabled}, revision = revision + ${enabled ? 0 : 1}, updated_at = ${movedForward()}
    where id = ${id}`);

/** Sign-ins that are under way do not complete. */
export const raiseRevision = (tx: Transaction, id: string) =>
  tx.write(sql`update identity_connection set revision = revision + 1 where id = ${id}`);

export const deleteConnection = (tx: Transaction, id: string) =>
  tx.write(sql`delete from identity_connection where id = ${id}`);

export const selectConnection = async (on: Queryable, id: string) =>
  requireRow(
    await on.query<ConnectionRow>(sql`select ${columns} from identity_connection item where item.id = ${id}`),
    'connection',
  );

/** Whether single sign-on is required of anyone, and this is the last connection that can prove it. */
export const isNeeded = (on: Queryable, partnerId: string, id: string) =>
  hasRows(
    on,
    sql`
    select from partner where partner.id = ${partnerId}
      and (partner.sso_required or exists (
        select from agreement where agreement.partner_id = partner.id and agreement.sso_required))
      and not exists (select from identity_connection other
        where other.partner_id = partner.id and other.enabled and other.id <> ${id})`,
  );

export const hasVerifiedDomain = (on: Queryable, id: string) =>
  hasRows(on, sql`select from identity_domain where connection_id = ${id} and verified_at is not null`);

export const connectionsOf = <Item>(on: Queryable, partnerId: string, toItem: (row: ConnectionRow) => Item) =>
  listOf(on, 'identity_connection', {
    columns,
    from: sql`identity_connection item where item.partner_id = ${partnerId}`,
    sorted: { id: sql`item.id`, created_at: sql`item.created_at` },
    toItem,
  });

export const wireGroupIds = ({ group_ids }: ConnectionRow): string[] =>
  group_ids.map((id) => formatId('permission_group', id));
