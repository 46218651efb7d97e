// Saves a change over the version that the person saw, and asks which counts when somebody else saved another one
// meanwhile.
import { ConcordError } from '@concord/client';
import { conflictQuestion } from './questions.ts';
import { type Answer, isCode } from './read.ts';
import { toast } from './toasts.ts';
import { readAgain } from './write.ts';

export type Version<Fields> = Pick<Answer<Fields>, 'data' | 'etag'>;
type Options<Fields> = {
  /** "the partner" */
  thing: string;
  /** What the form was opened with. */
  opened: Version<Fields>;
  /** The fields of the form. Only those that differ from `opened` are saved. */
  mine: Partial<Fields>;
  load: () => Promise<Version<Fields>>;
  /** Throws `precondition_failed` if the entity tag is old. `present`: the version that it replaces. */
  save: (changes: Partial<Fields>, headers: { 'if-match': string }, present: Fields) => Promise<unknown>;
  /** What the question calls the fields, and how it shows a value. `other`: the value of the other version. */
  names: Readonly<Partial<Record<keyof Fields, string>>>;
  show: (value: unknown, field: keyof Fields, other: unknown) => string;
  /** Said when it is saved. */
  done?: string;
};

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * `taken`: the person took the other version of all fields, so nothing was saved. Throws `precondition_failed` if they
 * closed the question.
 */
export async function saveVersion<Fields extends object>(
  options: Options<Fields>,
): Promise<'saved' | 'taken'> {
  const outcome = await save(options);
  if (outcome === 'taken') await readAgain();
  else if (options.done !== undefined) toast({ tone: 'good', text: options.done });
  return outcome;
}

async function save<Fields extends object>(options: Options<Fields>): Promise<'saved' | 'taken'> {
  const { opened, mine, load } = options;
  let changed = (Object.keys(mine) as (keyof Fields)[]).filter(
    (field) => !isSame(mine[field], opened.data[field]),
  );
  if (changed.length === 0) return 'saved';
  let present = opened;
  while (changed.length > 0) {
    const changes = Object.fromEntries(changed.map((field) => [field, mine[field]])) as Partial<Fields>;
    try {
      await options.save(changes, { 'if-match': present.etag }, present.data);
      return 'saved';
    } catch (error) {
      if (!isCode(error, 'precondition_failed')) throw error;
      const { etag } = present;
      present = await load();
      // A proxy on the way drops entity tags, or makes them weak: none will do.
      if (present.etag === etag) throw error;
      changed = await askAbout(options, changed, present.data);
    }
  }
  return 'taken';
}

/** Returns which of these fields to save over `theirs`. It asks only about those that both changed. */
async function askAbout<Fields extends object>(
  { thing, opened, mine, names, show }: Options<Fields>,
  changed: readonly (keyof Fields)[],
  theirs: Fields,
): Promise<(keyof Fields)[]> {
  const isDisputed = (field: keyof Fields) =>
    !isSame(theirs[field], opened.data[field]) && !isSame(theirs[field], mine[field]);
  const differences = changed.filter(isDisputed).map((field) => ({
    field: names[field] ?? String(field),
    mine: show(mine[field], field, theirs[field]),
    theirs: show(theirs[field], field, mine[field]),
  }));
  const choice = differences.length === 0 ? 'mine' : await conflictQuestion.ask({ thing, differences });
  if (choice === false)
    throw new ConcordError(`Nothing is saved yet: somebody else changed ${thing}.`, {
      code: 'precondition_failed',
    });
  return changed.filter((field) => choice === 'mine' || !isDisputed(field));
}
