// An attempt with its request as it was signed.
import { ServiceError } from '../../../base/errors.ts';
import type { Queryable } from '../../../base/postgres/database.ts';
import { rebuildAttempt, webhookId } from '../../delivering/sign.ts';
import { requestBody } from '../../endpoints/payload.ts';
import type { Environment } from '../../environments.ts';
import type { AttemptWithRequest } from './schema.ts';
import * as store from './store.ts';

/** @throws ServiceError not_found: the delivery has no such attempt */
export async function readAttempt(
  on: Queryable,
  delivery: store.DeliveryRow,
  number: string,
  userAgents: Readonly<Record<Environment, string>>,
): Promise<AttemptWithRequest> {
  const isNumber = /^[1-9]\d{0,8}$/.test(number);
  const row = isNumber && (await store.selectAttempt(on, delivery.delivery_id, Number(number)));
  if (!row) throw new ServiceError('not_found');
  return { ...store.toAttempt(row), ...toSigned(row, delivery, userAgents[delivery.environment]) };
}

type Signed = Pick<AttemptWithRequest, 'request' | 'signature_base' | 'key_id' | 'created' | 'signature'>;
const unsigned: Signed = {
  request: null,
  signature_base: null,
  key_id: null,
  created: null,
  signature: null,
};

function toSigned(row: store.AttemptRow, { event_id }: store.DeliveryRow, userAgent: string): Signed {
  if (row.bodies === null || row.url === null) return unsigned;
  const { number, bodies, url: href, key_id: keyId, signature, thin } = row;
  const text = requestBody(thin ? 'thin' : 'full', bodies, row.batch_id !== null);
  const [url, body, created] = [new URL(href), Buffer.from(text), Number(row.created)];
  const id = webhookId({ event_id, batch_id: row.batch_id });
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
