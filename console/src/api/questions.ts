// Asks the person something before a change goes on. The dialogs that show the questions are in app/.
import { createStore } from './store.ts';

type Question<About, Answer> = { readonly about: About; readonly answer: (answer: Answer) => void };

function createQuestion<About = void, Choice = true>() {
  const question = createStore<Question<About, Choice | false> | null>(null);
  return {
    /** False when the person closed the dialog. */
    ask(about: About): Promise<Choice | false> {
      question.read()?.answer(false);
      return new Promise((resolve) => {
        question.set({
          about,
          answer: (answer) => {
            question.set(null);
            resolve(answer);
          },
        });
      });
    },
    read: question.read,
    useValue: question.useValue,
  };
}

/** That it is them. True when the session has the proof. */
export const stepUpQuestion = createQuestion();
/** A sign-in with the identity provider of the partner that is open. */
export const signInQuestion = createQuestion();

/** A field in which both versions differ, in words. */
export type Shown = { readonly field: string; readonly mine: string; readonly theirs: string };

/** Somebody else changed the same thing meanwhile (412): which values of these fields count. */
export const conflictQuestion = createQuestion<
  { thing: string; differences: readonly Shown[] },
  'mine' | 'theirs'
>();
