// The operations of SCIM on users and groups of one connection. Each change is one transaction, with the partner
// locked and the token checked again.
import { isDeepStrictEqual } from 'node:util';
import { requireTag } from '../../../../base/http/entity-tag.ts';
import { ScimError } from '../../../../base/http/scim.ts';
import { streamOf } from '../../../../base/http/text-stream.ts';
import { formatId, parseId } from '../../../../base/ids.ts';
import type { Database, Queryable, Transaction } from '../../../../base/postgres/database.ts';
import { toRefusal } from '../../../../people/index.ts';
import type { Options } from '../../../options.ts';
import type { ProvisioningCaller } from '../access.ts';
import { groupKind, type Kind, userKind } from '../protocol/attributes.ts';
import { type Document, type Item, readDocument } from '../protocol/document.ts';
import {
  project,
  toList,
  toLongList,
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

/** Members, or groups, of a list that are in memory at a time, unless one group has more. */
const maxAtOnce = 1_000;
/** Those of a page that count as one request. */
const maxInRequest = 10_000;

export function createResources(options: Options) {
  const { db, baseUrl } = options;
  const settling = createSettling(options);
  const { represent, answer } = createRepresentations(baseUrl);
  const writers = { User: createUsers(settling), Group: createGroups(settling) };

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
      const { parts, requests } = await inParts(db, kind, rows, wanted);
      // Before the answer begins, so that no limit ends it in its middle.
      for (let request = 1; request < requests; request++) await caller.count();
      const [first = [], ...others] = parts;
      const begun = await represent(db, kind, first, wanted);
      if (others.length === 0) return toList(begun, total, startIndex);
      // A page can have 90 MB: 100,000 groups with long names.
      async function* readParts() {
        yield begun;
        for (const part of others) {
          await caller.requireValid();
          yield await represent(db, kind, part, wanted);
        }
      }
      return streamOf(toLongList(readParts(), total, startIndex, rows.length));
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

/** As callers get resources. */
function createRepresentations(baseUrl: string) {
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

  async function answer(on: Queryable, kind: Kind, row: store.ResourceRow, wanted: Wanted): Promise<Answer> {
    const [resource = {}] = await represent(on, kind, [row], wanted);
    return { resource, version: versionOf(row) };
  }

  return { represent, answer };
}

/** `parts` are represented one after the other. `requests`: for how many the page counts. */
async function inParts(db: Database, kind: Kind, rows: readonly store.ResourceRow[], wanted: Wanted) {
  if (rows.length < 2 || !wants(wanted, othersOf(kind).name)) return { parts: [rows], requests: 1 };
  const counted = await store.countOthers(
    db,
    kind,
    rows.map(({ id }) => id),
  );
  const counts = new Map(counted.map(({ of, count }) => [of, count]));
  const parts: store.ResourceRow[][] = [];
  let [all, inPart] = [0, Number.POSITIVE_INFINITY];
  for (const row of rows) {
    const own = counts.get(row.id) ?? 0;
    all += own;
    inPart += own;
    if (inPart > maxAtOnce) {
      parts.push([]);
      inPart = own;
    }
    parts.at(-1)?.push(row);
  }
  return { parts, requests: Math.ceil(all / maxInRequest) };
}

function requireFound(row: store.ResourceRow | undefined): store.ResourceRow {
  if (row === undefined) throw new ScimError(404, undefined, 'The resource does not exist.');
  return row;
}
const lockRow = async ({ tx, connectionId }: Provisioning, kind: Kind, id: string) =>
  requireFound(await store.lockResource(tx, kind, connectionId, parseId(kind.stored, id)));

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
