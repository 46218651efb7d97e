// Answers questions about access: may this person do this to that partner?
import { type Caller, createReadFactsOfMany, type FactsOfPair } from '../../access/index.ts';
import type { Denials } from '../../audit/index.ts';
import { type Fault, faultAt, ServiceError } from '../../base/errors.ts';
import { formatId } from '../../base/ids.ts';
import { judge, readQuestion, type Verdict } from './evaluation.ts';
import type { Evaluation, EvaluationsRequest, Question, Semantic } from './schema.ts';

type Options = Parameters<typeof createReadFactsOfMany>[0] & { denials: Denials };
export type Evaluations = ReturnType<typeof createEvaluationOperations>;

const maxFaults = 20;

export function createEvaluationOperations({ denials, ...options }: Options) {
  const readFactsOfMany = createReadFactsOfMany(options);

  async function judgeAll(caller: Caller, questions: readonly Question[]): Promise<Verdict[]> {
    const asked = await readFactsOfMany(caller, questions.map(readQuestion));
    const verdicts = asked.map((question) => ({ ...question, verdict: judge(question) }));
    recordRefusal(caller, verdicts);
    return verdicts.map(({ verdict }) => verdict);
  }

  /** Strangers leave no row. */
  function recordRefusal(
    { actor }: Caller,
    asked: readonly (Pick<FactsOfPair, 'asker'> & { verdict: Verdict })[],
  ): void {
    for (const { asker, verdict } of asked) {
      if (!('refusal' in verdict) || asker.partnerId === null || asker.membership === null) continue;
      const { partnerId } = asker;
      const target = formatId('partner', partnerId);
      denials.record({
        actor,
        partnerId,
        action: 'agreements.query',
        target,
        details: { code: verdict.refusal.code },
      });
      return;
    }
  }

  return {
    /** @throws ServiceError forbidden, mfa_required */
    evaluate: async (caller: Caller, question: Question): Promise<Evaluation> =>
      only(await judgeAll(caller, [question])),

    /** @throws ServiceError invalid_request, and what `evaluate` throws */
    async evaluateAll(
      caller: Caller,
      { evaluations = [], options = {}, ...top }: EvaluationsRequest,
    ): Promise<Evaluation | { evaluations: Evaluation[] }> {
      const isList = evaluations.length > 0;
      const listed = evaluations.map((each, index) => ({
        pointer: `/evaluations/${index}`,
        asked: { ...top, ...each },
      }));
      const verdicts = await judgeAll(caller, complete(isList ? listed : [{ pointer: '', asked: top }]));
      if (!isList) return only(verdicts);
      return { evaluations: cut(verdicts.map(inList), options.evaluations_semantic ?? 'execute_all') };
    },
  };
}

function only([verdict]: readonly Verdict[]): Evaluation {
  if (verdict === undefined) throw new Error('A question has no verdict');
  if ('refusal' in verdict) throw verdict.refusal;
  return verdict.evaluation;
}

type Asked = { pointer: string; asked: Partial<Question> };

/** @throws ServiceError invalid_request: a question lacks a member */
function complete(asked: readonly Asked[]): Question[] {
  const faults: Fault[] = [];
  const questions = asked.flatMap(({ pointer, asked: { subject, action, resource } }) => {
    if (subject && action && resource) return [{ subject, action, resource }];
    const missing = Object.entries({ subject, action, resource }).filter(([, value]) => value === undefined);
    faults.push(...missing.map(([name]) => faultAt(`${pointer}/${name}`, 'is required', 'required')));
    return [];
  });
  if (faults.length > 0) throw new ServiceError('invalid_request', { faults: faults.slice(0, maxFaults) });
  return questions;
}

/** An error of one evaluation is a denial. */
function inList(verdict: Verdict): Evaluation {
  if (!('refusal' in verdict)) return verdict.evaluation;
  const { status, code, message } = verdict.refusal;
  return { decision: false, context: { error: { status, code, message } } };
}

const lastDecision: Readonly<Record<Semantic, boolean | null>> = {
  execute_all: null,
  deny_on_first_deny: false,
  permit_on_first_permit: true,
};

function cut(evaluations: Evaluation[], semantic: Semantic): Evaluation[] {
  const last = evaluations.findIndex(({ decision }) => decision === lastDecision[semantic]);
  return last < 0 ? evaluations : evaluations.slice(0, last + 1);
}
