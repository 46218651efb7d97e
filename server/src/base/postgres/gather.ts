// One statement answers what is asked in one turn of the event loop.

const atOnce = 64;

type Options<Question, Answer> = {
  /** Questions with one shape are answered together. */
  shapeOf: (question: Question) => string;
  answer: (questions: readonly Question[]) => Promise<readonly Answer[]>;
};

/** Its statement is sent at the end of the turn. */
export function createGather<Question, Answer>({ shapeOf, answer }: Options<Question, Answer>) {
  type Waiting = { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void };
  let gathered = new Map<string, Waiting[]>();

  function ask(): void {
    const shapes = [...gathered.values()];
    gathered = new Map();
    for (const waiting of shapes)
      for (let from = 0; from < waiting.length; from += atOnce)
        void answerAll(waiting.slice(from, from + atOnce));
  }

  async function answerAll(waiting: readonly Waiting[]): Promise<void> {
    try {
      const answers = await answer(waiting.map(({ question }) => question));
      for (const [index, { resolve }] of waiting.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  return (question: Question): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (gathered.size === 0) setImmediate(ask);
      const shape = shapeOf(question);
      const waiting = gathered.get(shape);
      if (waiting) waiting.push({ question, resolve, reject });
      else gathered.set(shape, [{ question, resolve, reject }]);
    });
}
