// What can be done with attempts: see one with its request as it was signed.
import type { Granted } from '../../../access/index.ts';
import { ServiceError } from '../../../base/errors.ts';
import { formatId } from '../../../base/ids.ts';
import type { Database } from '../../../base/postgres/database.ts';
import { rebuildAttempt } from '../../delivering/sign.ts';
import { requestBody } from '../../endpoints/payload.ts';
import type { Environment } from '../../signing-keys/index.ts';
import type { AttemptWithRequest } from './schema.ts';
import * as store from './store.ts';

type Options = { db: Database; userAgents: Readonly<Record<Environment, string>> };

export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts({ db, userAgents }: Options) {
  return {
    /** @throws ServiceError not_found: the delivery has no such attempt */
    async get({ row: delivery }: Granted<store.DeliveryRow>, number: string): Promise<AttemptWithRequest> {
      const isNumber = /^[1-9]\d{0,8}$/.test(number);
      const row = isNumber && (await store.selectAttempt(db, delivery.delivery_id, Number(number)));
      if (!row) throw new ServiceError('not_found');
      return {
        ...store.toAttempt(row),
        ...(toSigned(row, delivery, userAgents[delivery.environment]) ?? unsigned),
      };
    },
  };
}

type Signed = Pick<AttemptWithRequest, 'request' | 'signature_base' | 'key_id' | 'created' | 'signature'>;
const unsigned: Signed = {
  request: null,
  signature_base: null,
  key_id: null,
  created: null,
  signature: null,
};

function toSigned(row: store.AttemptRow, { event_id }: store.DeliveryRow, userAgent: string): Signed | null {
  const { number, bodies, url: href, created: seconds, key_id: keyId, signature, thin } = row;
  if (bodies === null || href === null || seconds === null || keyId === null || signature === null)
    return null;
  const text = requestBody(thin ? 'thin' : 'full', bodies, row.batch_id !== null);
  const [url, body, created] = [new URL(href), Buffer.from(text), Number(seconds)];
  const id = row.batch_id === null ? formatId('event', event_id) : formatId('batch', row.batch_id);
  const content = { url, body, id, attempt: number, userAgent };
  const { headers, base } = rebuildAttempt(content, { created, keyId, signature });
  const sent = { host: url.host, ...headers, 'content-length': String(body.length) };
  return {
    request: {
      method: 'POST',
      url: href,
      headers: Object.entries(sent).map(([name, value]) => ({ name, value })),
      body: text,
    },
    signature_base: base,
    key_id: keyId,
    created,
    signature: signature.toString('base64'),
  };
}
