// What a checkpoint says, and how it is signed (behaviour W77).
import type { Environment, Signer } from '../signing-keys/index.ts';

/** What is signed. `covers_from` and `covers_until` are about when the first and the last event could be published. */
export type Statement = {
  readonly checkpoint_id: string;
  readonly endpoint_id: string;
  readonly partner_id: string;
  readonly environment: Environment;
  readonly previous_id: string | null;
  readonly covers_from: string;
  readonly covers_until: string;
  readonly created_at: string;
} & Summary;

/** Of the deliveries that a checkpoint covers. */
export type Summary = Readonly<Record<'count' | Status, number>> & { readonly root: string };
export type Status = 'delivered' | 'pending' | 'failed' | 'cancelled';

/** Tells a checkpoint from anything else that the key signs. */
const type = 'concord-checkpoint+jws';

/** A compact JWS (RFC 7515). The keys sign as ES384 of RFC 7518 does. */
export async function toJws(statement: Statement, { kid, sign }: Signer): Promise<string> {
  const signed = `${encode({ alg: 'ES384', kid, typ: type })}.${encode(statement)}`;
  return `${signed}.${(await sign(Buffer.from(signed))).toString('base64url')}`;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
