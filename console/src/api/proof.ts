// Asks the person to prove something before a change goes on. The dialogs that show the questions are in app/.
import { createStore } from './store.ts';

type Question = { answer: (isProven: boolean) => void };

function createQuestion() {
  const question = createStore<Question | null>(null);
  return {
    /** True when the session has the proof. False when the person closed the dialog. */
    ask(): Promise<boolean> {
      question.read()?.answer(false);
      return new Promise((resolve) => {
        question.set({
          answer: (isProven) => {
            question.set(null);
            resolve(isProven);
          },
        });
      });
    },
    read: question.read,
    subscribe: question.subscribe,
  };
}

/** That it is them. */
export const stepUpQuestion = createQuestion();
/** A sign-in with the identity provider of the partner that is open. */
export const signInQuestion = createQuestion();
