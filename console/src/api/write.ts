// Changing: runs an operation, asks for a proof when it needs one, and reads again everything that the page
// shows.
import { ConcordError } from '@concord/client';
import { useCallback, useState } from 'react';
import { client } from './client.ts';
import { signInQuestion, stepUpQuestion } from './proof.ts';
import { queryClient } from './query-client.ts';
import { toast } from './toasts.ts';

/** What the operations need besides their own options. */
export type WriteClient = typeof client;

type Settings = {
  /** Said when it is done: "The partner is saved". */
  readonly done?: string;
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
export async function write<Result>(
  change: (client: WriteClient) => Promise<Result>,
  { done, keepsCache, leave }: Settings = {},
): Promise<Result> {
  const result = await withProof(() => change(client));
  await leave?.();
  if (!keepsCache) await queryClient.invalidateQueries();
  if (done !== undefined) toast({ tone: 'good', text: done });
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

/** Everything that the page shows, because something else changed it. */
export const readAgain = (): Promise<void> => queryClient.invalidateQueries();

/** For a button beside no form: while it runs the button waits, and a failure is a toast. */
export function useWrite(): {
  readonly isRunning: boolean;
  run<Result>(
    change: (client: WriteClient) => Promise<Result>,
    settings?: Settings,
  ): Promise<Result | undefined>;
} {
  const [isRunning, setRunning] = useState(false);
  const run = useCallback(
    async <Result>(change: (client: WriteClient) => Promise<Result>, settings?: Settings) => {
      setRunning(true);
      try {
        return await write(change, settings);
      } catch (error) {
        if (!(error instanceof ConcordError)) throw error;
        if (error.code !== 'step_up_required')
          toast({
            tone: 'bad',
            text: settings?.explain?.[error.code] ?? error.message,
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
