// Imports event types from a document: a plan first, which is then applied as it is (behaviour W75).
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../../access/index.ts';
import { invalidRequest, ServiceError } from '../../../base/errors.ts';
import type { Database, Queryable } from '../../../base/postgres/database.ts';
import { cut } from '../../../base/text.ts';
import { builtInEventTypes } from '../built-in.ts';
import type { DataChecks } from '../data-checks.ts';
import { isReservedName, merge } from '../event-type.ts';
import { recordPut } from '../event-types.ts';
import { checkPast } from '../past-events.ts';
import { type EventType, lockCatalogue, putEventType, selectEventTypesNamed } from '../store.ts';
import type { Found } from './read-document.ts';
import type { ImportEventTypes, ImportPlan } from './schema.ts';

const deadlineMs = 20_000;

type Options = { db: Database; checks: DataChecks };
type Content = Pick<EventType, 'description' | 'schema' | 'example'>;
/** `content`: what is written. */
type Step = ImportPlan['types'][number] & { content: Content | null };
type Plan = { steps: readonly Step[]; hash: string };
type Current = ReadonlyMap<string, EventType>;

const builtIn = new Set(builtInEventTypes.map(({ name }) => name));
const isName = (text: string): boolean => text.length <= 100 && /^[a-z0-9_]+(\.[a-z0-9_]+)*$/.test(text);

async function readCurrent(on: Queryable, named: readonly { name: string }[]): Promise<Current> {
  const names = named.map(({ name }) => name).filter(isName);
  return new Map((await selectEventTypesNamed(on, names)).map((type) => [type.name, type]));
}

/** Changes with the steps, and with any type that they are about. */
const hashOf = (steps: readonly Step[], current: Current): string =>
  createHash('sha256')
    .update(JSON.stringify(steps.map((step) => [step, current.get(step.name) ?? null])))
    .digest('hex');

export type ImportTypes = ReturnType<typeof createImport>;

export function createImport({ db, checks }: Options) {
  /** Why the content cannot be stored. Null: it can. */
  async function refusalOf(name: string, content: Content, current: EventType | undefined) {
    if (builtIn.has(name)) return 'is built in';
    if (isReservedName(name)) return 'is the name of an operation';
    if (content.example === undefined) return 'needs an example: the document has none';
    try {
      await checks.requireValid(content);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const [fault] = error.faults;
      return fault ? `${fault.pointer}: ${fault.message}` : error.message;
    }
    if (!current) return null;
    const past = await checkPast(db, checks, { name, schema: content.schema });
    if (past.failed > 0) return `would refuse ${past.failed} of its last ${past.checked} events`;
    return past.complete ? null : 'takes too long to check against its last events';
  }

  async function stepOf(
    { name, type, reason }: Found,
    current: EventType | undefined,
    isSecond: boolean,
  ): Promise<Step> {
    const refused = (why: string): Step => ({
      name: cut(name, 100),
      action: 'refused',
      reason: why,
      content: null,
    });
    if (type === null) return refused(reason ?? 'cannot be read');
    if (!isName(name)) return refused('is no name: words of a-z, 0-9 and _ with dots between them');
    if (isSecond) return refused('is in the document twice');
    const { description, schema, example = current?.example } = type;
    const content: Content = { description, schema, example };
    if (isDeepStrictEqual({ ...current, ...content }, { ...current }))
      return { name, action: 'unchanged', reason: null, content: null };
    const why = await refusalOf(name, content, current);
    return why === null ? { name, action: current ? 'changed' : 'new', reason: null, content } : refused(why);
  }

  async function makePlan(text: string): Promise<Plan> {
    const found = await checks.readDocument(text);
    const startedAt = performance.now();
    const current = await readCurrent(db, found);
    const seen = new Set<string>();
    const steps: Step[] = [];
    for (const each of found) {
      if (performance.now() - startedAt > deadlineMs)
        throw invalidRequest('/document', 'takes too long to check: import fewer types at once');
      steps.push(await stepOf(each, current.get(each.name), seen.has(each.name)));
      seen.add(each.name);
    }
    return { steps, hash: hashOf(steps, current) };
  }

  return async (
    caller: Caller,
    { document, apply: isApplied = false, plan }: ImportEventTypes,
  ): Promise<ImportPlan> => {
    if (isApplied && plan === undefined)
      throw invalidRequest('/plan', 'is required to apply: the hash of the plan', 'required');
    const made = await makePlan(document);
    if (isApplied) {
      if (plan !== made.hash) throw new ServiceError('import_plan_changed');
      await applyPlan(db, caller, made);
    }
    const types = made.steps.map(({ name, action, reason }) => ({ name, action, reason }));
    return { plan: made.hash, applied: isApplied, types };
  };
}

const applyPlan = (db: Database, caller: Caller, { steps, hash }: Plan): Promise<void> =>
  db.transaction(async (tx) => {
    const { actor } = await caller.recheck(tx);
    await lockCatalogue(tx);
    const current = await readCurrent(tx, steps);
    if (hashOf(steps, current) !== hash) throw new ServiceError('import_plan_changed');
    for (const { name, content } of steps) {
      if (!content) continue;
      const before = current.get(name) ?? null;
      const after = await putEventType(tx, merge(name, before, content));
      await recordPut(tx, actor, { before, after, details: { imported: true } });
    }
  });
