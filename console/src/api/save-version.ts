// Saves a change over the version that the person saw, and notices when somebody else saved another one
// meanwhile.
import { isCode } from './read.ts';

export type Version<Fields> = { readonly fields: Fields; readonly etag: string };
export type Difference<Fields> = {
  readonly field: keyof Fields;
  readonly mine: unknown;
  readonly theirs: unknown;
};

type Options<Fields> = {
  /** What the form was opened with. */
  base: Version<Fields>;
  /** All fields of the form. Only those that differ from `base` are saved. */
  mine: Fields;
  /** Throws `precondition_failed` if the entity tag is old. */
  save: (changes: Partial<Fields>, etag: string) => Promise<unknown>;
  load: () => Promise<Version<Fields>>;
  /** True: mine counts. It is asked only about fields that both changed. */
  ask: (differences: readonly Difference<Fields>[]) => Promise<boolean>;
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** `taken`: the person took the other version, so nothing was saved. */
export async function saveVersion<Fields extends object>({
  base,
  mine,
  save,
  load,
  ask,
}: Options<Fields>): Promise<'saved' | 'taken'> {
  const changed = (Object.keys(mine) as (keyof Fields)[]).filter(
    (field) => !isSame(mine[field], base.fields[field]),
  );
  if (changed.length === 0) return 'saved';
  const changes = Object.fromEntries(changed.map((field) => [field, mine[field]])) as Partial<Fields>;
  let { etag } = base;
  for (;;) {
    try {
      await save(changes, etag);
      return 'saved';
    } catch (error) {
      if (!isCode(error, 'precondition_failed')) throw error;
      const theirs = await load();
      const differences = changed
        .filter(
          (field) =>
            !isSame(theirs.fields[field], base.fields[field]) && !isSame(theirs.fields[field], mine[field]),
        )
        .map((field) => ({ field, mine: mine[field], theirs: theirs.fields[field] }));
      if (differences.length > 0 && !(await ask(differences))) return 'taken';
      etag = theirs.etag;
    }
  }
}
