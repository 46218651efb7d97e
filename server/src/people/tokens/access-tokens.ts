// The operations on access tokens: credentials of programs, with scopes and an expiry.
import { type NewAccessToken, newAccessToken, readBearer } from '../../access/index.ts';
import { inWireOrder, requireDistinct } from '../../access/permissions/index.ts';
import { forbidden, invalidRequest, ServiceError, tooMany } from '../../base/errors.ts';
import { readMoment } from '../../base/http/schemas.ts';
import { newId, parseId } from '../../base/ids.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import type { AccessToken, CreateAccessToken } from './schema.ts';
import * as store from './store.ts';

export { deleteTokensOnlyFor, tokensOf } from './store.ts';

const dayMs = 24 * 60 * 60_000;
const defaultDays = 90;
const maxDays = 365;
const maxTokens = 100;

/**
 * The user of the token. `mfaProven`: the caller's session carries the proof of a second factor.
 * `latestExpiry`: when the access of the caller ends; null when it does not.
 */
type TokenUser = { userId: string; mfaProven: boolean; latestExpiry?: Date | null };

/**
 * Lock the user first. `token` is not stored: only this result has it. `made`: its text is known elsewhere.
 * @throws ServiceError invalid_request, limit_reached, forbidden
 */
export async function createToken(
  tx: Transaction,
  { userId, mfaProven, latestExpiry = null }: TokenUser,
  body: CreateAccessToken,
  made: Omit<NewAccessToken, 'token'> & { token?: string } = newAccessToken(),
): Promise<AccessToken & { token: string }> {
  requireDistinct(body.scopes, '/scopes');
  if ((await store.tokensOf(tx, userId).count()).count >= maxTokens)
    throw tooMany(`A user can have at most ${maxTokens} access tokens. Revoke one first.`);
  const { token = '', hash, prefix } = made;
  const row = await store.insertToken(tx, {
    id: newId('access_token'),
    userId,
    name: body.name,
    hash,
    prefix,
    scopes: inWireOrder(body.scopes),
    partnerIds: body.partner_ids?.map(toPartnerUuid) ?? null,
    mfaProven,
    expiresAt: readExpiry(body.expires_at ?? null, await readClock(tx), latestExpiry),
  });
  return { ...store.toAccessToken(row), token };
}

/** Takes effect from the next request on. Returns the token as it was. @throws ServiceError not_found */
export async function revokeToken(tx: Transaction, userId: string, id: string) {
  const gone = await store.deleteToken(tx, userId, id);
  if (gone === undefined) throw new ServiceError('not_found');
  return store.toAccessToken(gone);
}

/**
 * RFC 7009: whoever has the token may end it. `partnerId`: that of a service account, as a bare UUID. Undefined:
 * it is none.
 */
export async function revokeItself(tx: Transaction, text: string) {
  const bearer = readBearer(`Bearer ${text}`);
  const gone = bearer?.kind === 'token' ? await store.deleteTokenOfHash(tx, bearer.secret) : undefined;
  if (gone === undefined) return undefined;
  const { user_id: userId, service_partner_id: partnerId, ...token } = gone;
  return { userId, partnerId, token: store.toAccessToken(token) };
}

function readExpiry(text: string | null, now: Date, latestExpiry: Date | null) {
  const moment =
    text === null ? new Date(now.getTime() + defaultDays * dayMs) : readMoment(text, '/expires_at');
  if (moment <= now || moment.getTime() > now.getTime() + maxDays * dayMs) {
    throw invalidRequest('/expires_at', `must be in the future and at most ${maxDays} days from now`);
  }
  if (latestExpiry && moment > latestExpiry)
    throw forbidden(
      `You cannot give access for longer than you have it: set expires_at to ${latestExpiry.toISOString()} at the latest.`,
    );
  return moment;
}

function toPartnerUuid(id: string, index: number) {
  const uuid = parseId('partner', id);
  if (uuid === null)
    throw invalidRequest(`/partner_ids/${index}`, 'must be the id of a partner: ptr_ and 26 characters');
  return uuid;
}
