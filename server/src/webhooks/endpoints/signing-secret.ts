// The shared secret of an endpoint, for signatures of Standard Webhooks v1 (behaviour W65). Only the answer that sets
// it shows it. The one before stays valid for a day, so that receivers can change without a gap.
import { createHmac, randomBytes } from 'node:crypto';
import { changeLocked } from '../../agreements/index.ts';
import { secretChange } from '../../audit/index.ts';
import { invalidRequest, requireFound } from '../../base/errors.ts';
import type { Database } from '../../base/postgres/database.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import { isSameSecret } from '../../base/secrets/index.ts';
import { changePart, requireUnchanged } from './change.ts';
import type { SigningSecret } from './schema.ts';
import type { Sealings, SharedKeys } from './secrets.ts';
import type { GrantedEndpoint } from './store.ts';

const secretBytes = 32;
const previousMs = 24 * 3_600_000;

type SignedContent = Readonly<{ id: string; created: number; body: Buffer }>;

/**
 * The headers of Standard Webhooks, without webhook-id.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function standardHeaders(
  { keys, previousUntil }: SharedKeys,
  { id, created, body }: SignedContent,
): Record<string, string> {
  const valid =
    previousUntil !== null && Date.parse(previousUntil) > created * 1_000 ? keys : keys.slice(0, 1);
  const sign = (key: string) =>
    `v1,${createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${created}.`).update(body).digest('base64')}`;
  return { 'webhook-timestamp': String(created), 'webhook-signature': valid.map(sign).join(' ') };
}

/** In base64. @throws ServiceError invalid_request */
function readKey(secret: string): string {
  const key = secret.replace(/^whsec_/, '');
  const bytes = Buffer.from(key, 'base64');
  if (key === secret || bytes.toString('base64') !== key || bytes.length < 24 || bytes.length > 64)
    throw invalidRequest('/secret', 'must be whsec_ and the base64 of 24 to 64 bytes');
  return key;
}

export type SigningSecrets = ReturnType<typeof createSigningSecrets>;

export const createSigningSecrets = ({
  db,
  signingSecrets,
}: Pick<Sealings, 'signingSecrets'> & { db: Database }) => ({
  /** Sets the first secret, or the next one. Without `given` it is random. @throws ServiceError invalid_request */
  rotate: (granted: GrantedEndpoint, given?: string, ifMatch?: string): Promise<SigningSecret> =>
    changeLocked(db, granted, async (tx, locked) => {
      const { signing_secret: unchanged } = requireUnchanged(ifMatch, locked);
      const { endpoint_id: id, sealed_signing_secret: present } = locked.row;
      const key = given === undefined ? randomBytes(secretBytes).toString('base64') : readKey(given);
      const [previous] = present === null ? [] : signingSecrets.open(id, present).keys;
      // So that a request with a secret can be repeated.
      if (unchanged && previous && isSameSecret(Buffer.from(key), Buffer.from(previous)))
        return { secret: `whsec_${key}`, ...unchanged };
      const at = await readClock(tx);
      const until = previous === undefined ? null : new Date(at.getTime() + previousMs);
      const keys = previous === undefined ? [key] : [key, previous];
      const previousUntil = until?.toISOString() ?? null;
      await changePart(tx, locked, {
        action: 'rotate_signing_secret',
        columns: {
          sealed_signing_secret: signingSecrets.seal(id, { keys, previousUntil }),
          signing_secret_created_at: at,
          previous_secret_until: until,
        },
        changes: secretChange('signing_secret', { before: present !== null }),
      });
      return { secret: `whsec_${key}`, created_at: at.toISOString(), previous_valid_until: previousUntil };
    }),

  remove: (granted: GrantedEndpoint, ifMatch?: string): Promise<void> =>
    changeLocked(db, granted, async (tx, locked) => {
      requireUnchanged(ifMatch, locked);
      requireFound(locked.row.sealed_signing_secret);
      await changePart(tx, locked, {
        action: 'delete_signing_secret',
        columns: {
          sealed_signing_secret: null,
          signing_secret_created_at: null,
          previous_secret_until: null,
        },
        changes: secretChange('signing_secret', { after: false }),
      });
    }),
});
