// The operations of SCIM on users and groups of one connection. Each change is one transaction, with the partner
// locked and the token checked again.
import { isDeepStrictEqual } from 'node:util';
import { requireTag } from '../../../../base/http/entity-tag.ts';
import { ScimError } from '../../../../base/http/scim.ts';
import { formatId, parseId } from '../../../../base/ids.ts';
import { createFairQueue } from '../../../../base/limits/index.ts';
import type { Queryable, Transaction } from '../../../../base/postgres/database.ts';
import { toRefusal } from '../../../../people/index.ts';
import type { Options } from '../../../options.ts';
import type { ProvisioningCaller } from '../access.ts';
import { groupKind, type Kind, userKind } from '../protocol/attributes.ts';
import { type Document, type Item, readDocument } from '../protocol/document.ts';
import {
  project,
  toList,
  toOther,
  toResource,
  versionOf,
  type Wanted,
  wants,
} from '../protocol/representation.ts';
import type { Query } from '../search/query.ts';
import { createSettling, type Provisioning } from '../settling/settling.ts';
import { createGroups } from './groups.ts';
import * as store from './store.ts';
import { createUsers } from './users.ts';

type Answer = { resource: Document; version: string };

/** Members, or groups, that a list represents at a time: one group can have as many. */
const maxAtOnce = 10_000;

export function createResources(options: Options) {
  const { db, baseUrl } = options;
  const settling = createSettling(options);
  const writers = { User: createUsers(settling), Group: createGroups(settling) };
  /** One at a time: users with 100,000 groups of long names make 90 MB, and a multiple of it in memory. */
  const widePages = createFairQueue({
    name: 'wide-pages',
    concurrency: 1,
    what: 'wide pages of a connection',
  });

  async function represent(on: Queryable, kind: Kind, rows: readonly store.ResourceRow[], wanted: Wanted) {
    const { name, kind: otherKind } = othersOf(kind);
    const others = wants(wanted, name)
      ? await store.selectOthers(
          on,
          kind,
          rows.map(({ id }) => id),
        )
      : [];
    const byOwner = Map.groupBy(others, ({ of }) => of);
    return rows.map((row) => {
      const id = formatId(kind.stored, row.id);
      const listed = (byOwner.get(row.id) ?? []).map(
        (other): Item => toOther(baseUrl, otherKind, formatId(otherKind.stored, other.id), other.display),
      );
      // authentik adds nobody to a group without the attribute.
      const document = { ...row.document, [name]: listed };
      return project(toResource(baseUrl, kind, { ...row, id }, document), wanted);
    });
  }

  /** The first rows: as many as are represented at once. */
  async function firstOf(kind: Kind, rows: readonly store.ResourceRow[], wanted: Wanted) {
    if (rows.length < 2 || !wants(wanted, othersOf(kind).name)) return rows;
    const counted = await store.countOthers(
      db,
      kind,
      rows.map(({ id }) => id),
    );
    const counts = new Map(counted.map(({ of, count }) => [of, count]));
    let listed = 0;
    const end = rows.findIndex(({ id }, index) => {
      listed += counts.get(id) ?? 0;
      return listed > maxAtOnce && index > 0;
    });
    return end < 0 ? rows : rows.slice(0, end);
  }

  /** As JSON. All of the page, since directories add its `count` to `startIndex`. */
  async function toJson(
    { count }: ProvisioningCaller,
    kind: Kind,
    rows: readonly store.ResourceRow[],
    wanted: Wanted,
  ) {
    const resources: string[] = [];
    while (resources.length < rows.length) {
      if (resources.length > 0) await count();
      const part = await firstOf(kind, rows.slice(resources.length), wanted);
      for (const each of await represent(db, kind, part, wanted)) resources.push(JSON.stringify(each));
    }
    return resources;
  }

  async function answer(on: Queryable, kind: Kind, row: store.ResourceRow, wanted: Wanted): Promise<Answer> {
    const [resource = {}] = await represent(on, kind, [row], wanted);
    return { resource, version: versionOf(row) };
  }

  function requireFound(row: store.ResourceRow | undefined): store.ResourceRow {
    if (row === undefined) throw new ScimError(404, undefined, 'The resource does not exist.');
    return row;
  }
  const lockRow = async ({ tx, connectionId }: Provisioning, kind: Kind, id: string) =>
    requireFound(await store.lockResource(tx, kind, connectionId, parseId(kind.stored, id)));

  async function inTransaction<T>(caller: ProvisioningCaller, work: (by: Provisioning) => Promise<T>) {
    try {
      return await db.transaction(async (tx) => work(await caller.lock(tx)));
    } catch (error) {
      throw toConflict(toRefusal(error));
    }
  }

  /** `next` makes the new document from the stored one. */
  const change = (
    caller: ProvisioningCaller,
    kind: Kind,
    id: string,
    { ifMatch, wanted }: { ifMatch: string | undefined; wanted: Wanted },
    next: (document: Document) => Document,
  ) =>
    inTransaction(caller, async (by) => {
      const { tx } = by;
      const row = await lockRow(by, kind, id);
      requireTag(ifMatch, () => versionOf(row));
      const before = await withMembers(tx, kind, row);
      const document = next(before);
      if (!isDeepStrictEqual(document, before)) await writers[kind.name].write(by, row, document);
      return answer(tx, kind, await store.requireResource(tx, kind, by.connectionId, row.id), wanted);
    });

  return {
    change,

    async read({ connectionId }: ProvisioningCaller, kind: Kind, id: string, wanted: Wanted) {
      const row = await store.selectResource(db, kind, connectionId, parseId(kind.stored, id));
      return answer(db, kind, requireFound(row), wanted);
    },

    async list(caller: ProvisioningCaller, kind: Kind, { startIndex, count, ...query }: Query) {
      const { connectionId } = caller;
      const { condition, order, wanted } = query;
      const total = await store.countResources(db, kind, connectionId, condition);
      const page = { condition, order, offset: startIndex - 1, limit: count };
      const rows = count === 0 ? [] : await store.selectResources(db, kind, connectionId, page);
      const work = async () => toList(await toJson(caller, kind, rows, wanted), total, startIndex);
      const isWide = (await firstOf(kind, rows, wanted)).length < rows.length;
      return isWide ? widePages.run(connectionId, work) : work();
    },

    create: (caller: ProvisioningCaller, kind: Kind, body: unknown, wanted: Wanted) =>
      inTransaction(caller, async (by) => {
        const id = await writers[kind.name].write(by, null, readDocument(kind, body));
        const row = await store.requireResource(by.tx, kind, by.connectionId, id);
        return answer(by.tx, kind, row, wanted);
      }),

    remove: (caller: ProvisioningCaller, kind: Kind, id: string, ifMatch: string | undefined) =>
      inTransaction(caller, async (by) => {
        const row = await lockRow(by, kind, id);
        requireTag(ifMatch, () => versionOf(row));
        await writers[kind.name].remove(by, row);
      }),
  };
}

/** What leads from a resource to others. */
const othersOf = (kind: Kind) =>
  kind.name === 'User'
    ? ({ name: 'groups', kind: groupKind } as const)
    : ({ name: 'members', kind: userKind } as const);

/** As a directory sends it: a group has its members. */
async function withMembers(tx: Transaction, kind: Kind, row: store.ResourceRow): Promise<Document> {
  if (kind.name === 'User') return row.document;
  const ids = await store.selectMemberIds(tx, row.id);
  const members = ids.map((id) => ({ value: formatId('provisioned_user', id) }));
  return { ...row.document, ...(members.length > 0 && { members }) };
}

const uniqueOf: Readonly<Record<string, string>> = {
  user_name_key: 'userName',
  email_key: 'address',
  agreement: 'address',
  external_id: 'externalId',
};

function toConflict(error: unknown): unknown {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  if (code !== '23505' || typeof constraint !== 'string' || !constraint.startsWith('provisioned_'))
    return error;
  const [, name] = Object.entries(uniqueOf).find(([column]) => constraint.includes(column)) ?? [];
  return new ScimError(409, 'uniqueness', `Another resource has this ${name ?? 'value'}.`);
}
