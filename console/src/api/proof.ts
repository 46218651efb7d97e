// Asks the person to prove something before a change goes on. The dialogs that show the questions are in app/.

type Question = { answer: (isProven: boolean) => void };

function createQuestion() {
  let question: Question | null = null;
  const listeners = new Set<() => void>();
  function set(next: Question | null): void {
    question = next;
    for (const listener of listeners) listener();
  }
  return {
    /** True when the session has the proof. False when the person closed the dialog. */
    ask(): Promise<boolean> {
      question?.answer(false);
      return new Promise((resolve) => {
        set({
          answer: (isProven) => {
            set(null);
            resolve(isProven);
          },
        });
      });
    },
    read: (): Question | null => question,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** That it is them. */
export const stepUpQuestion = createQuestion();
/** A sign-in with the identity provider of the partner that is open. */
export const signInQuestion = createQuestion();
