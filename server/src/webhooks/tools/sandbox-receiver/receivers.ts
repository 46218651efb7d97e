// What can be done with the sandbox receiver of a partner.
import { randomBytes } from 'node:crypto';
import type { Granted } from '../../../access/index.ts';
import { changeLocked } from '../../../agreements/index.ts';
import { recordAction, secretChange } from '../../../audit/index.ts';
import { requireFound } from '../../../base/errors.ts';
import { requireMatch } from '../../../base/http/entity-tag.ts';
import { serializer } from '../../../base/http/serialization.ts';
import { formatId, parseId } from '../../../base/ids.ts';
import type { Database, Queryable, Transaction } from '../../../base/postgres/database.ts';
import type { Captured, Finding } from '../debug/verify-captured.ts';
import * as receiver from './receiver.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

type Options = { db: Database; baseUrl: string; verify: (captured: Captured) => Promise<Finding> };
type Incoming = { method: string; rawHeaders: readonly string[]; body: Buffer };

export type SandboxReceivers = ReturnType<typeof createSandboxReceivers>;

export function createSandboxReceivers({ db, baseUrl, verify }: Options) {
  const toWire = ({ token, created_at }: store.ReceiverRow): wire.SandboxReceiver => ({
    url: receiver.urlOf(baseUrl, token),
    created_at: created_at.toISOString(),
  });
  const toJson = serializer(wire.SandboxReceiver);
  const requireUnchanged = (ifMatch: string | undefined, row: store.ReceiverRow | undefined) =>
    requireMatch(ifMatch, row && toJson(toWire(row)));

  return {
    put: (granted: Granted, ifMatch: string | undefined): Promise<wire.SandboxReceiver> =>
      changeLocked(db, granted, async (tx, locked) => {
        requireUnchanged(ifMatch, await store.selectReceiver(tx, locked.partnerId));
        const token = randomBytes(24).toString('base64url');
        if (await store.insertReceiver(tx, locked.partnerId, token)) await record(tx, locked, 'create');
        return toWire(await requireReceiver(tx, locked));
      }),

    get: async (granted: Granted): Promise<wire.SandboxReceiver> =>
      toWire(await requireReceiver(db, granted)),

    delete: (granted: Granted, ifMatch: string | undefined): Promise<void> =>
      changeLocked(db, granted, async (tx, locked) => {
        requireUnchanged(ifMatch, await requireReceiver(tx, locked));
        await store.deleteReceiver(tx, locked.partnerId);
        await record(tx, locked, 'delete');
      }),

    async list(granted: Granted): Promise<wire.SandboxReceiverRequest[]> {
      await requireReceiver(db, granted);
      return (await store.selectRequests(db, granted.partnerId)).map(toRequest);
    },

    /** Undefined: there is no receiver with this token. */
    find: async (token: string): Promise<store.Found | undefined> =>
      receiver.isToken(token) ? store.selectByToken(db, token) : undefined,

    async receive(
      { partner_id: partnerId, token, now: at }: store.Found,
      { method, rawHeaders, body }: Incoming,
    ): Promise<void> {
      const url = receiver.urlOf(baseUrl, token);
      const headers = receiver.toPairs(rawHeaders);
      const { verified, step, code, reason } = await verify({
        method,
        url,
        headers,
        body,
        at,
        environment: 'sandbox',
        partnerId: formatId('partner', partnerId),
        searchUrl: false,
      });
      const claimedId = receiver.claimedId(headers);
      const [eventId, batchId] = [parseId('event', claimedId), parseId('batch', claimedId)];
      const kept = reason && receiver.keptReason(reason);
      const key_id = receiver.claimedKeyId(headers);
      const event_id = eventId && formatId('event', eventId);
      await store.insertRequest(db, partnerId, {
        method,
        headers: receiver.withoutSecrets(headers),
        body,
        verification: { verified, step, code, reason: kept, key_id, event_id },
        delivery_id: verified ? await findDelivery(db, partnerId, { eventId, batchId, url }) : null,
      });
    },

    /** Whether this is the receiver's URL, which sandbox endpoints of the partner may have. */
    async isReceiverOf(on: Queryable, partnerId: string, url: string): Promise<boolean> {
      const token = receiver.tokenOf(baseUrl, url);
      return token !== null && (await store.selectReceiver(on, partnerId))?.token === token;
    },

    /** The same for an attempt. Only URLs of receivers cost a statement. */
    async isReceiverOfEndpoint(on: Queryable, endpointId: string, url: string): Promise<boolean> {
      const token = receiver.tokenOf(baseUrl, url);
      return token !== null && store.isReceiverOfEndpoint(on, endpointId, token);
    },
  };
}

const requireReceiver = async (on: Queryable, { partnerId }: Granted) =>
  requireFound(await store.selectReceiver(on, partnerId));

const record = (tx: Transaction, { actor, partnerId }: Granted, action: 'create' | 'delete') =>
  recordAction(tx, {
    actor,
    partnerId,
    action: `sandbox_receiver.${action}`,
    target: formatId('partner', partnerId),
    changes: secretChange('url', action === 'create' ? { before: false } : { after: false }),
  });

/** The delivery that was sent. Null: there is none, or more than one can be meant. */
async function findDelivery(
  on: Queryable,
  partnerId: string,
  { eventId, batchId, url }: { eventId: string | null; batchId: string | null; url: string },
) {
  if (batchId !== null) return (await store.selectFirstOfBatch(on, partnerId, batchId)) ?? null;
  if (eventId === null) return null;
  const [delivery, another] = await store.selectDeliveries(on, partnerId, eventId, url);
  return another === undefined ? (delivery ?? null) : null;
}

const toRequest = ({
  method,
  headers,
  body,
  received_at,
  verification,
  delivery_id,
}: store.RequestRow): wire.SandboxReceiverRequest => ({
  method,
  headers: headers.map(([name, value]) => ({ name, value })),
  ...receiver.toBody(body),
  received_at: received_at.toISOString(),
  verification: { ...verification, delivery_id: delivery_id && formatId('delivery', delivery_id) },
});
