// The operations on the caller: their user, and the credential of the request.
import type { Caller } from '../../../access/index.ts';
import { type Credential, inWireOrder, type Principal } from '../../../access/permissions/index.ts';
import { changesBetween } from '../../../audit/index.ts';
import { ServiceError } from '../../../base/errors.ts';
import { requireMatch } from '../../../base/http/entity-tag.ts';
import { serializer } from '../../../base/http/serialization.ts';
import { formatId } from '../../../base/ids.ts';
import type { Database, Queryable } from '../../../base/postgres/database.ts';
import { withTextTimes } from '../../../base/postgres/sql/rows.ts';
import { recordOwn } from '../../audited.ts';
import { changeOwn } from '../own-change.ts';
import * as wire from './schema.ts';
import { selectMe, updateName } from './store.ts';

const toJson = serializer(wire.Me);

export const updateMe = (
  db: Database,
  caller: Caller,
  body: wire.UpdateMe,
  ifMatch: string | undefined,
): Promise<wire.Me> =>
  changeOwn(db, caller, async (tx, { actor, principal }) => {
    const before = await readMe(tx, principal);
    requireMatch(ifMatch, toJson(before));
    const { name = before.name } = body;
    if (name === before.name) return before;
    await updateName(tx, principal.userId, name);
    const personal = { changes: changesBetween({ name: before.name }, { name }) };
    await recordOwn(tx, { actor, action: 'account.update', personal });
    return readMe(tx, principal);
  });

export async function readMe(on: Queryable, principal: Principal): Promise<wire.Me> {
  const row = await selectMe(on, principal);
  if (row === undefined) throw new ServiceError('unauthenticated');
  const { expires_at, proven_at, ...user } = withTextTimes(row);
  return {
    ...user,
    role: principal.role,
    credential: {
      ...toCredential(principal.credential),
      expires_at,
      second_factor_proven: principal.secondFactor === 'proven',
      proven_at,
    },
  };
}

function toCredential(credential: Credential) {
  const { kind, id } = credential;
  if (credential.kind === 'session') return { kind, id, scopes: null, partner_ids: null };
  return {
    kind,
    id: formatId('access_token', id),
    scopes: inWireOrder(credential.scopes),
    partner_ids: credential.partnerIds?.map((partnerId) => formatId('partner', partnerId)) ?? null,
  };
}
