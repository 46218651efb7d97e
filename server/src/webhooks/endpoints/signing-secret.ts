// The shared secret of an endpoint, for signatures of Standard Webhooks v1 (behaviour W65). Only the answer that makes
// it shows it. The one before stays valid for a day, so that receivers can change without a gap.
import { createHmac, randomBytes } from 'node:crypto';
import type { Granted } from '../../access/index.ts';
import { changeLocked } from '../../agreements/index.ts';
import { secretChange } from '../../audit/index.ts';
import type { Secret } from '../../base/config-values.ts';
import { ServiceError } from '../../base/errors.ts';
import { requireMatch } from '../../base/http/entity-tag.ts';
import { formatId } from '../../base/ids.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import { changePart } from './change.ts';
import { type Endpoint, type SigningSecret, toEndpointJson } from './schema.ts';
import { createSealing } from './sealing.ts';
import * as store from './store.ts';

const secretBytes = 32;
const previousMs = 24 * 3_600_000;

/** Base64 of the keys. The first is the present one. */
type Sealed = { readonly keys: readonly string[]; readonly previousUntil: string | null };
type Content = { readonly id: string; readonly created: number; readonly body: Buffer };

export type SecretSigning = ReturnType<typeof createSecretSigning>;

export function createSecretSigning(secrets: readonly Secret[]) {
  const { seal, open } = createSealing<Sealed>(secrets, 'webhook signing secrets');
  return {
    seal,
    open,

    /**
     * The headers of Standard Webhooks, without webhook-id. None without a secret.
     * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
     */
    headers(
      endpointId: string,
      sealed: Buffer | null,
      { id, created, body }: Content,
    ): Record<string, string> {
      if (sealed === null) return {};
      const { keys, previousUntil } = open(endpointId, sealed);
      const valid =
        previousUntil !== null && Date.parse(previousUntil) > created * 1_000 ? keys : keys.slice(0, 1);
      const sign = (key: string) =>
        `v1,${createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${created}.`).update(body).digest('base64')}`;
      return { 'webhook-timestamp': String(created), 'webhook-signature': valid.map(sign).join(' ') };
    },
  };
}

type GrantedEndpoint = Granted<store.EndpointRow>;

export type SigningSecrets = ReturnType<typeof createSigningSecrets>;

export function createSigningSecrets({ db, signing }: { db: Database; signing: SecretSigning }) {
  async function change(
    tx: Transaction,
    granted: GrantedEndpoint,
    { action, sealed }: { action: string; sealed: (at: Date) => store.SealedSecret | null },
  ): Promise<Endpoint> {
    const at = await readClock(tx);
    return changePart(tx, granted, {
      action,
      update: () => store.updateSigningSecret(tx, granted.row.endpoint_id, sealed(at)),
      secrets: (before, after) =>
        secretChange('signing_secret', {
          before: before.signing_secret !== null,
          after: after.signing_secret !== null,
        }),
    });
  }

  return {
    /** Makes the first secret, or the next one. */
    rotate: (granted: GrantedEndpoint): Promise<SigningSecret> =>
      changeLocked(db, granted, async (tx, locked) => {
        const id = formatId('webhook_endpoint', locked.row.endpoint_id);
        const key = randomBytes(secretBytes).toString('base64');
        const { signing_secret: shown } = await change(tx, locked, {
          action: 'rotate_signing_secret',
          sealed(at) {
            const { sealed_signing_secret: present } = locked.row;
            const [previous] = present === null ? [] : signing.open(id, present).keys;
            const until = previous === undefined ? null : new Date(at.getTime() + previousMs);
            const keys = previous === undefined ? [key] : [key, previous];
            const value = { keys, previousUntil: until?.toISOString() ?? null };
            return { sealed: signing.seal(id, value), createdAt: at, previousUntil: until };
          },
        });
        if (shown === null) throw new Error('a secret was made, and the endpoint has none');
        return { secret: `whsec_${key}`, ...shown };
      }),

    remove: (granted: GrantedEndpoint, ifMatch?: string): Promise<void> =>
      changeLocked(db, granted, async (tx, locked) => {
        requireMatch(ifMatch, toEndpointJson(store.toEndpoint(locked.row)));
        if (locked.row.sealed_signing_secret === null) throw new ServiceError('not_found');
        await change(tx, locked, { action: 'delete_signing_secret', sealed: () => null });
      }),
  };
}
