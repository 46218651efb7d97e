// How groups of a directory are written. Their members get the permission group to which an owner mapped the group.
import { isDeepStrictEqual } from 'node:util';
import { ScimError } from '../../../../base/http/scim.ts';
import { parseId } from '../../../../base/ids.ts';
import { groupKind } from '../protocol/attributes.ts';
import type { Item } from '../protocol/document.ts';
import { type Provisioning, type Settling, settleGroups } from '../settling/settling.ts';
import * as store from './store.ts';
import { recordResource, type Writer } from './writing.ts';

const maxGroups = 1_000;
/** In all groups together, since an answer or a filter can read them all. */
const maxMembers = 100_000;

export function createGroups(settling: Settling): Writer {
  return {
    async write(by, before, { members, ...document }) {
      const { tx, connectionId } = by;
      if (!before && (await store.countResources(tx, groupKind, connectionId)) >= maxGroups)
        throw new ScimError(400, 'tooMany', `A connection can have at most ${maxGroups} groups.`);
      const now = await readMembers(by, (members ?? []) as Item[]);
      const was = new Set(before ? await store.selectMemberIds(tx, before.id) : []);
      const added = [...now].filter((id) => !was.has(id));
      const removed = [...was].filter((id) => !now.has(id));
      if (before && added.length + removed.length === 0 && isDeepStrictEqual(document, before.document))
        return before.id;
      const mapped = before ? await store.selectMapping(tx, before.id) : null;
      if (mapped !== null && added.length > 0) await settling.requireGrantable(by, mapped, added);
      const id = await store.writeResource(tx, groupKind, by, before?.id ?? null, { document });
      if (before && before.document.displayName !== document.displayName) await store.touchMembers(tx, id);
      await store.changeMembers(tx, connectionId, id, { added, removed });
      if (added.length > 0 && (await store.countMembers(tx, connectionId)) > maxMembers)
        throw new ScimError(400, 'tooMany', `The groups can have at most ${maxMembers} members together.`);
      const agreements = mapped === null ? 0 : await settleGroups(by, [...added, ...removed], both(mapped));
      await recordResource(by, {
        kind: groupKind,
        id,
        before: before?.document ?? null,
        after: document,
        details: { added: added.length, removed: removed.length, agreements },
      });
      return id;
    },

    async remove(by, row) {
      const members = await store.selectMemberIds(by.tx, row.id);
      const mapped = await store.selectMapping(by.tx, row.id);
      await store.touchMembers(by.tx, row.id);
      await store.deleteResource(by.tx, groupKind, row.id);
      const agreements = mapped === null ? 0 : await settleGroups(by, members, both(mapped));
      await recordResource(by, {
        kind: groupKind,
        id: row.id,
        before: row.document,
        after: null,
        details: { added: 0, removed: members.length, agreements },
      });
    },
  };
}

const both = (groupId: string) => ({ given: [groupId], taken: [groupId] });

/** @throws ScimError invalidValue: a member is no user of the connection */
async function readMembers({ tx, connectionId }: Provisioning, items: readonly Item[]) {
  const ids = items.map(({ value }) => parseId('provisioned_user', String(value)));
  const known = new Set(
    await store.selectKnownUsers(
      tx,
      connectionId,
      ids.flatMap((id) => id ?? []),
    ),
  );
  if (ids.some((id) => id === null || !known.has(id)))
    throw new ScimError(400, 'invalidValue', 'Each member must be the id of a user of this connection.');
  return known;
}
