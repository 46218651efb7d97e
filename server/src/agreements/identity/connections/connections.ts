// What owners do with identity connections (behaviour K1 to K4).
import { generateKeyPair } from 'node:crypto';
import { isDeepStrictEqual, promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { Granted } from '../../../access/index.ts';
import { type Changes, changesBetween, recordAction, secretChange } from '../../../audit/index.ts';
import type { GuardedFetch } from '../../../base/egress/index.ts';
import { invalidRequest, ServiceError, tooMany } from '../../../base/errors.ts';
import { requireMatch } from '../../../base/http/entity-tag.ts';
import { serializer } from '../../../base/http/serialization.ts';
import { created, type IdempotentRequest } from '../../../base/idempotency/index.ts';
import { formatId, newUuid } from '../../../base/ids.ts';
import type { Transaction } from '../../../base/postgres/database.ts';
import { pick, withTextTimes } from '../../../base/postgres/sql/rows.ts';
import { createEncryption, type Encryption } from '../../../base/secrets/index.ts';
import { memberTerms, requireHeld } from '../../agreement.ts';
import { changeLocked, changeOnce } from '../../agreements.ts';
import { selectGroupsByIds } from '../../groups/store.ts';
import type { Options } from '../../options.ts';
import { createProviderCheck } from './discovery.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

const maxConnections = 5;
const generate = promisify(generateKeyPair);

const toJson = serializer(wire.Connection);

type GrantedConnection = Granted<store.ConnectionRow>;

export const encryptionOf = ({ secrets }: Options) => createEncryption(secrets, 'identity connection');

export function createConnections(options: Options, fetch: GuardedFetch) {
  const { db, baseUrl } = options;
  const encryption = encryptionOf(options);
  const toConnection = representing(baseUrl);
  const change = changing(options);
  const checkProvider = createProviderCheck(fetch);

  return {
    list: ({ partnerId }: Granted) => store.connectionsOf(db, partnerId, toConnection),

    get: ({ row }: GrantedConnection) => toConnection(row),

    async create(granted: Granted, body: wire.CreateConnection, key: IdempotentRequest) {
      await checkProvider(granted.partnerId, body.issuer);
      const id = newUuid();
      const made = await makeSecret(encryption, id, body);
      return changeOnce(db, granted, key, async (tx, locked) => {
        const { partnerId, principal } = locked;
        if ((await store.connectionsOf(tx, partnerId, toConnection).count()).count >= maxConnections)
          throw tooMany(
            `A partner can have at most ${maxConnections} identity connections. Delete one first.`,
          );
        const terms = body.terms ?? { acl_permission_group_ids: [], days: null, mfa_required: false };
        const groups = await readGroups(tx, locked, terms);
        await store.insertConnection(
          tx,
          { id, partnerId, termsBy: principal.userId },
          { admits_new_members: false, ...body, ...made, ...toColumns(terms) },
        );
        await store.setGroups(tx, { id, partnerId }, groups);
        const row = await store.selectConnection(tx, id);
        const after = toConnection(row);
        await record(tx, locked, 'create', row, {
          ...changesBetween(null, after),
          ...secretChange('client_secret', { before: false }),
        });
        const location = `/partners/${formatId('partner', partnerId)}/connections/${after.id}`;
        return created(location, toJson(after));
      });
    },

    async update(granted: GrantedConnection, body: wire.UpdateConnection, ifMatch: string | undefined) {
      if (body.issuer !== undefined && body.issuer !== granted.row.issuer)
        await checkProvider(granted.partnerId, body.issuer);
      const { connection_id: id } = granted.row;
      const authentication = body.authentication ?? granted.row.authentication;
      const isNewSecret =
        body.client_secret !== undefined ||
        (authentication === 'private_key_jwt') !== (granted.row.authentication === 'private_key_jwt');
      const made = isNewSecret ? await makeSecret(encryption, id, { ...body, authentication }) : null;
      return change(granted, ifMatch, 'update', async (tx, locked) => {
        const { row, partnerId, principal } = locked;
        if (row.authentication !== granted.row.authentication) throw new ServiceError('precondition_failed');
        const next = { ...row, ...body, authentication, ...made, ...(body.terms && toColumns(body.terms)) };
        const isNewIssuer = next.issuer !== row.issuer;
        // Whoever sends the secret again knows it: the new provider gets it.
        if (isNewIssuer && !isNewSecret && authentication !== 'private_key_jwt')
          throw invalidRequest('/client_secret', 'is required, because the issuer changes', 'required');
        const isNewClient = isNewIssuer || next.client_id !== row.client_id;
        if (isNewClient) await requireUnneeded(tx, row);
        // Whoever admits new members must be able to grant their terms.
        const setsTerms = body.terms !== undefined || body.admits_new_members === true;
        const groups = setsTerms ? await readGroups(tx, locked, body.terms ?? toTerms(row)) : [];
        if (body.terms) await store.setGroups(tx, { id, partnerId }, groups);
        const shown = { ...toConnection(next), terms: body.terms ?? toTerms(row) };
        await store.updateConnection(tx, id, next, {
          termsBy: setsTerms ? principal.userId : null,
          isNewClient,
          isChanged: isNewSecret || !isDeepStrictEqual(shown, toConnection(row)),
        });
        return isNewSecret ? secretChange('client_secret') : {};
      });
    },

    ...switching(options),
  };
}

const representing = (baseUrl: string) => (row: store.ConnectionRow) => {
  const id = formatId('identity_connection', row.connection_id);
  const within = `${baseUrl}/api/auth/connections/${id}`;
  return {
    id,
    ...withTextTimes(
      pick(row, [
        'name',
        'issuer',
        'client_id',
        'authentication',
        'public_jwk',
        'enabled',
        'tested_at',
        'admits_new_members',
        'created_at',
        'updated_at',
      ]),
    ),
    redirect_uri: `${within}/callback`,
    backchannel_logout_uri: `${within}/backchannel-logout`,
    terms: toTerms(row),
  };
};

/** Locks, compares the entity tag, changes, and records the difference. */
function changing({ db, baseUrl }: Options) {
  const toConnection = representing(baseUrl);
  return (
    granted: GrantedConnection,
    ifMatch: string | undefined,
    action: string,
    apply: (tx: Transaction, locked: GrantedConnection) => Promise<Changes>,
  ) =>
    changeLocked(db, granted, async (tx, locked) => {
      const before = toConnection(locked.row);
      requireMatch(ifMatch, toJson(before));
      const secrets = await apply(tx, locked);
      const row = await store.selectConnection(tx, locked.row.connection_id);
      const after = toConnection(row);
      const changes = { ...changesBetween(before, after), ...secrets };
      if (Object.keys(changes).length > 0) await record(tx, locked, action, row, changes);
      return after;
    });
}

/** Turning connections on and off, and deleting them. */
function switching(options: Options) {
  const toConnection = representing(options.baseUrl);
  const change = changing(options);
  return {
    enable: (granted: GrantedConnection, ifMatch: string | undefined) =>
      change(granted, ifMatch, 'enable', async (tx, { row }) => {
        if (row.tested_at === null)
          throw new ServiceError('connection_not_ready', {
            detail: 'Test the connection first: sign in with it as it is set now.',
          });
        if (!(await store.hasVerifiedDomain(tx, row.connection_id)))
          throw new ServiceError('connection_not_ready', {
            detail: 'Verify a domain first: a connection speaks only for addresses of its domains.',
          });
        if (!row.enabled) await store.setEnabled(tx, row.connection_id, true);
        return {};
      }),

    disable: (granted: GrantedConnection, ifMatch: string | undefined) =>
      change(granted, ifMatch, 'disable', async (tx, { row }) => {
        await requireUnneeded(tx, row);
        if (row.enabled) await store.setEnabled(tx, row.connection_id, false);
        return {};
      }),

    delete: (granted: GrantedConnection, ifMatch: string | undefined) =>
      changeLocked(options.db, granted, async (tx, locked) => {
        const before = toConnection(locked.row);
        requireMatch(ifMatch, toJson(before));
        await requireUnneeded(tx, locked.row);
        await store.deleteConnection(tx, locked.row.connection_id);
        await record(tx, locked, 'delete', locked.row, changesBetween(before, null));
      }),
  };
}

const record = (
  tx: Transaction,
  { actor, partnerId }: Granted,
  action: string,
  { connection_id, name }: store.ConnectionRow,
  changes: Changes,
) =>
  recordAction(tx, {
    actor,
    partnerId,
    action: `connection.${action}`,
    target: formatId('identity_connection', connection_id),
    targetName: name,
    changes,
  });

/** @throws ServiceError connection_needed: nobody of whom single sign-on is required could sign in */
async function requireUnneeded(tx: Transaction, { enabled, partner_id, connection_id }: store.ConnectionRow) {
  if (enabled && (await store.isNeeded(tx, partner_id, connection_id)))
    throw new ServiceError('connection_needed');
}

/** The groups of the terms, which the caller must be able to grant (A8). */
async function readGroups(tx: Transaction, locked: Granted, terms: wire.Terms) {
  const { acl_permission_group_ids: ids, days, mfa_required } = terms;
  const groups = await selectGroupsByIds(tx, locked.partnerId, ids);
  const known = new Set(groups.map(({ id }) => id));
  const missing = ids.findIndex((id) => !known.has(id));
  if (missing >= 0)
    throw invalidRequest(
      `/terms/acl_permission_group_ids/${missing}`,
      'must be the id of a permission group of the partner',
    );
  const expires_at = (await store.endAfter(tx, days))?.toISOString() ?? null;
  requireHeld(locked, null, memberTerms({ mfa_required, expires_at, groups }));
  return groups;
}

const toColumns = ({ days, mfa_required }: wire.Terms) => ({
  new_member_days: days,
  new_member_mfa_required: mfa_required,
});

const toTerms = (row: store.ConnectionRow): wire.Terms => ({
  acl_permission_group_ids: store.wireGroupIds(row),
  days: row.new_member_days,
  mfa_required: row.new_member_mfa_required,
});

/** The secret as it is stored: the client's, or a new private key. */
async function makeSecret(
  /** For the purpose `identity connection`. */
  encryption: Encryption,
  id: string,
  { authentication, client_secret: secret }: Pick<wire.CreateConnection, 'authentication' | 'client_secret'>,
): Promise<Pick<store.ConnectionRow, 'secret' | 'public_jwk'>> {
  if (authentication !== 'private_key_jwt') {
    if (secret === undefined) throw invalidRequest('/client_secret', 'is required', 'required');
    return { secret: encryption.encrypt(secret, id), public_jwk: null };
  }
  if (secret !== undefined)
    throw invalidRequest('/client_secret', 'must be absent: Concord makes the key of private_key_jwt');
  const { privateKey, publicKey } = await generate('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  const kid = await calculateJwkThumbprint({ kty, crv, x, y } as JWK);
  const public_jwk = { kty, crv, x, y, use: 'sig', alg: 'ES256', kid };
  return { secret: encryption.encrypt(pem, id), public_jwk };
}
