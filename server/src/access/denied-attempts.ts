// Who acts, for the audit log, and the entry of an attempt that is denied.
import type { FastifyRequest } from 'fastify';
import type { Actor, AuditEntry } from '../audit/index.ts';
import { formatId } from '../base/ids.ts';
import type { AccessQuery } from './read.ts';
import type { Found } from './store.ts';

export const toActor = <Row>(
  { principal, isProgram }: Found<Row>,
  { id, ip }: Pick<FastifyRequest, 'id' | 'ip'>,
): Actor => ({
  kind: isProgram ? 'service_account' : principal.role === 'operator' ? 'operator' : 'person',
  userId: principal.userId,
  credential: { kind: principal.credential.kind, id: principal.credential.id },
  requestId: id,
  address: ip,
});

export type DeniedEntry = Pick<AuditEntry, 'actor' | 'partnerId' | 'action' | 'target'>;

/**
 * The entry to log if the request is denied. Strangers have no entry, so they cannot fill the log of a
 * partner.
 */
export function toDeniedEntry<Row>(
  { parameters, read }: AccessQuery<Row>,
  action: string,
  found: Found<Row>,
  request: Pick<FastifyRequest, 'id' | 'ip'>,
): DeniedEntry | null {
  const { membership, partnerId, item } = found;
  if (membership === null || partnerId === null) return null;
  const itemId = read?.item && item !== 'missing' ? parameters[read.item.parameter] : undefined;
  return {
    actor: toActor(found, request),
    partnerId,
    action,
    target: itemId ?? formatId('partner', partnerId),
  };
}
