// What writing users and groups of a directory has in common.
import { changesBetween, recordAction } from '../../../../audit/index.ts';
import { formatId } from '../../../../base/ids.ts';
import type { Kind } from '../protocol/attributes.ts';
import type { Document } from '../protocol/document.ts';
import type { Provisioning } from '../settling/settling.ts';
import type * as store from './store.ts';

/** How resources of one kind are written. `before` null: a new one. Returns the bare UUID. */
export type Writer = {
  write(by: Provisioning, before: store.ResourceRow | null, document: Document): Promise<string>;
  remove(by: Provisioning, row: store.ResourceRow): Promise<void>;
};

type Logged = {
  kind: Kind;
  id: string;
  before: Document | null;
  after: Document | null;
  /** Whom the values of a user are about. Default: the user. */
  subject?: string | null;
  details?: object;
};

/** What a directory says of a person is personal. */
export function recordResource(
  { tx, actor, partnerId, connectionId }: Provisioning,
  { kind, id, before, after, subject, details = {} }: Logged,
) {
  const target = formatId(kind.stored, id);
  const verb = before === null ? 'create' : after === null ? 'delete' : 'update';
  const changes = changesBetween(before, after);
  const { active, ...others } = changes;
  return recordAction(tx, {
    actor,
    partnerId,
    action: `${kind.stored}.${verb}`,
    target,
    details: { connection: formatId('identity_connection', connectionId), ...details },
    ...(kind.name === 'Group'
      ? { changes }
      : {
          ...(active && { changes: { active } }),
          personal: { subject: subject ?? target, changes: others },
        }),
  });
}
