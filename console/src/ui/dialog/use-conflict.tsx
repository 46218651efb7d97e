// Asks which version counts, and waits for the answer.
import { type ReactNode, useCallback, useState } from 'react';
import { Conflict } from './conflict.tsx';

type Differences = Parameters<typeof Conflict>[0]['differences'];

/** `ask` resolves to true when the person's own version counts. Render `dialog` beside the form. */
export function useConflict(thing: string): {
  ask: (differences: Differences) => Promise<boolean>;
  dialog: ReactNode;
} {
  const [question, setQuestion] = useState<{
    differences: Differences;
    answer: (isMine: boolean) => void;
  } | null>(null);
  const ask = useCallback(
    (differences: Differences) =>
      new Promise<boolean>((resolve) => {
        setQuestion({
          differences,
          answer: (isMine) => {
            setQuestion(null);
            resolve(isMine);
          },
        });
      }),
    [],
  );
  return {
    ask,
    dialog: question && (
      <Conflict
        thing={thing}
        differences={question.differences}
        onKeepMine={() => question.answer(true)}
        onTakeTheirs={() => question.answer(false)}
      />
    ),
  };
}
