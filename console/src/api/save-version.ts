// Saves a change over the version that the person saw, and notices when somebody else saved another one
// meanwhile.
import { type Answer, isCode } from './read.ts';
import { toast } from './toasts.ts';
import { readAgain } from './write.ts';

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

/** A difference in words. */
type Shown = { readonly field: string; readonly mine: string; readonly theirs: string };
export type Ask = (differences: readonly Shown[]) => Promise<boolean>;

type OpenedOptions<Data, Fields> = {
  /** What the form was opened with. */
  opened: Pick<Answer<Data>, 'data' | 'etag'>;
  fieldsOf: (data: Data) => Fields;
  /** Fields that the form has. */
  mine: Partial<Fields>;
  /** The present version, `withResponse`. */
  load: () => Promise<{ data: Data; response: Response }>;
  save: (changes: Partial<Fields>, headers: { 'if-match': string }) => Promise<unknown>;
  show: (difference: Difference<Fields>) => Shown;
  ask: Ask;
  /** Said when it is saved. */
  done: string;
};

/** Saves a form over the version that it was opened with, and says so. */
export async function saveOpened<Data, Fields extends object>({
  opened,
  fieldsOf,
  mine,
  load,
  save,
  show,
  ask,
  done,
}: OpenedOptions<Data, Fields>): Promise<void> {
  const base = { fields: fieldsOf(opened.data), etag: opened.etag };
  const outcome = await saveVersion<Fields>({
    base,
    mine: { ...base.fields, ...mine },
    load: async () => {
      const { data, response } = await load();
      return { fields: fieldsOf(data), etag: response.headers.get('etag') ?? '' };
    },
    save: (changes, etag) => save(changes, { 'if-match': etag }),
    ask: (differences) => ask(differences.map(show)),
  });
  if (outcome === 'saved') toast({ tone: 'good', text: done });
  else await readAgain();
}
