// Saves a change over the version that the person saw, and notices when somebody else saved another one
// meanwhile.
import { isCode } from './read.ts';
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
  /** The fields of the form. Only those that differ from `base` are saved. */
  mine: Partial<Fields>;
  /** Throws `precondition_failed` if the entity tag is old. */
  save: (changes: Partial<Fields>, etag: string) => Promise<unknown>;
  load: () => Promise<Version<Fields>>;
  /** True: mine counts. It is asked only about fields that both changed. */
  ask: (differences: readonly Difference<Fields>[]) => Promise<boolean>;
};

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

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

type OpenedOptions<Fields> = {
  /** What the form was opened with. */
  opened: { readonly data: Fields; readonly etag: string };
  mine: Partial<Fields>;
  /** The present version, `withResponse`. */
  load: () => Promise<{ data: Fields; response: Response }>;
  save: (changes: Partial<Fields>, headers: { 'if-match': string }) => Promise<unknown>;
  show: (difference: Difference<Fields>) => Shown;
  ask: Ask;
  /** Said when it is saved. */
  done: string;
};

/** Saves a form over the version that it was opened with, and says so. */
export async function saveOpened<Fields extends object>({
  opened,
  mine,
  load,
  save,
  show,
  ask,
  done,
}: OpenedOptions<Fields>): Promise<void> {
  const outcome = await saveVersion<Fields>({
    base: { fields: opened.data, etag: opened.etag },
    mine,
    load: async () => {
      const { data, response } = await load();
      return { fields: data, etag: response.headers.get('etag') ?? '' };
    },
    save: (changes, etag) => save(changes, { 'if-match': etag }),
    ask: (differences) => ask(differences.map(show)),
  });
  if (outcome === 'saved') toast({ tone: 'good', text: done });
  else await readAgain();
}
