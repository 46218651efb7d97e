// A stage for tests of checkpoints (behaviour W77), with a tree and a verifier that are not those of Concord.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { pluck, succeed, uuidOf } from '../../stage/cast.ts';
import type { TestService } from '../../stage/start-service.ts';
import type { WebhookPartner } from '../../stage/webhook-stage.ts';

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** The recursion of RFC 9162, section 2.1.1, as it is written there. */
function treeHash(entries: readonly string[]): Buffer {
  if (entries.length === 0) return sha256();
  if (entries.length === 1) return sha256(Buffer.of(0), Buffer.from(entries[0]!));
  let k = 1;
  while (2 * k < entries.length) k *= 2;
  return sha256(Buffer.of(1), treeHash(entries.slice(0, k)), treeHash(entries.slice(k)));
}
export const rootOf = (entries: readonly string[]): string => treeHash(entries).toString('hex');

export function checkpointsOf(
  service: TestService,
  { id, endpoint }: Pick<WebhookPartner, 'id' | 'endpoint'>,
) {
  const path = `/partners/${id}/webhook-endpoints/${endpoint}/checkpoints`;
  const bare = uuidOf(endpoint);
  const due = () =>
    service.sql(`update checkpoint_chain set due_at = now() - interval '1 second' where endpoint_id = $1`, [
      bare,
    ]);
  return {
    path,
    bare,
    due,
    list: async () => succeed(await service.get(path)),
    /** As the task does when the interval has passed. */
    async make() {
      await due();
      await service.runTask('make checkpoints');
      return succeed(await service.get(path));
    },
    deliveries: async (checkpoint: { id: string }, query = '') =>
      succeed(await service.get(`${path}/${checkpoint.id}/deliveries${query}`)),
    eventIds: async (checkpoint: { id: string }) =>
      pluck(succeed(await service.get(`${path}/${checkpoint.id}/deliveries`)), 'event_id'),
  };
}

/** What a checkpoint says, if its signature is right. */
export async function openJws(service: TestService, jws: string, environment = '') {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const { keys } = succeed(await service.get(`${environment}/.well-known/jwks.json`, null));
  const key = keys.find(({ kid }: { kid: string }) => kid === read(header).kid);
  const isRight = verify(
    'sha384',
    Buffer.from(`${header}.${payload}`),
    { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return { header: read(header), statement: read(payload), isRight };
}
