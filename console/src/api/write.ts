// Changing: runs an operation, asks for a proof when it needs one, and reads again everything that the page
// shows.
import { ConcordError } from '@concord/client';
import { useCallback, useState } from 'react';
import { errorText } from '#messages/errors.ts';
import { client } from './client.ts';
import { isDoubtful } from './lost-answers.ts';
import { queryClient } from './query-client.ts';
import { signInQuestion, stepUpQuestion } from './questions.ts';
import type { DataOf, Operation, Options } from './read.ts';
import { toast } from './toasts.ts';

/** For a change of several operations: what each needs besides its own options. */
export type ForClient = { client: typeof client };

type Settings<Result> = {
  /** Said when it is done: "The partner is saved". */
  readonly done?: string | ((result: Result) => string);
  /** For a button: what a refusal means here, by its code, in place of its message. */
  readonly explain?: Readonly<Record<string, string>>;
  /** Keeps what is shown, for changes that no list shows. */
  readonly keepsCache?: true;
  /** Leaves the page of what is gone, before everything that is shown is read again. */
  readonly leave?: (() => Promise<unknown>) | undefined;
};

/**
 * Runs a change, once at a time. `step_up_required` asks for the password or code, `sso_required` for the
 * identity provider, and then it runs again.
 * @throws ConcordError for the form that shows it
 */
export async function write<O extends Operation>(
  operation: O,
  options: Options<O>,
  { done, keepsCache, leave }: Settings<DataOf<O>> = {},
): Promise<DataOf<O>> {
  const result = (await withProof(() => operation({ ...options, client } as never)).catch(
    sayDoubt,
  )) as DataOf<O>;
  await leave?.();
  if (!keepsCache) await readSoon();
  if (done !== undefined) toast({ tone: 'good', text: typeof done === 'string' ? done : done(result) });
  return result;
}

const questions: Readonly<Record<string, typeof stepUpQuestion>> = {
  step_up_required: stepUpQuestion,
  sso_required: signInQuestion,
};
async function withProof<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    const question = error instanceof ConcordError && questions[error.code];
    if (!question || !(await question.ask())) throw error;
    return change();
  }
}

/** Nobody knows whether it is done, and it would be done once more. What the page shows says it. */
function sayDoubt(error: unknown): never {
  if (!isDoubtful(error)) throw error;
  void readAgain();
  const { message, status, requestId } = error;
  throw new ConcordError(message, { code: 'answer_lost', status, requestId, cause: error });
}

/** Everything that the page shows, because something else changed it. */
export const readAgain = (): Promise<void> => queryClient.invalidateQueries();

/** What is done is said soon, and a secret shown, although what the page shows cannot be read again now. */
const longestReadMs = 2_000;
const readSoon = (): Promise<unknown> =>
  Promise.race([readAgain(), new Promise((resolve) => setTimeout(resolve, longestReadMs))]);

/** For a button beside no form: while it runs the button waits, and a failure is a toast. */
export function useWrite(): {
  readonly isRunning: boolean;
  run<O extends Operation>(
    operation: O,
    options: Options<O>,
    settings?: Settings<DataOf<O>>,
  ): Promise<DataOf<O> | undefined>;
} {
  const [isRunning, setRunning] = useState(false);
  const run = useCallback(
    async <O extends Operation>(operation: O, options: Options<O>, settings?: Settings<DataOf<O>>) => {
      setRunning(true);
      try {
        return await write(operation, options, settings);
      } catch (error) {
        if (!(error instanceof ConcordError)) throw error;
        if (error.code !== 'step_up_required')
          toast({
            tone: 'bad',
            text: errorText(error, settings?.explain),
            requestId: error.requestId,
          });
        return undefined;
      } finally {
        setRunning(false);
      }
    },
    [],
  );
  return { isRunning, run };
}
