// Asks the person to prove again that it is them. The dialog that shows the question is in
// app/step-up-dialog.tsx.

type Question = { answer: (isProven: boolean) => void };
let question: Question | null = null;
const listeners = new Set<() => void>();

function set(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}
/** True when the session has a fresh proof. False when the person closed the dialog. */
export function askForProof(): Promise<boolean> {
  question?.answer(false);
  return new Promise((resolve) => {
    set({
      answer: (isProven) => {
        set(null);
        resolve(isProven);
      },
    });
  });
}
export const readQuestion = (): Question | null => question;
export function subscribeToQuestions(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
