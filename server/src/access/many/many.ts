// Where people stand with partners: what the access decision needs about a caller, and about the person of
// whom the caller asks.

import type { Database, Queryable } from '../../base/postgres/database.ts';
import type { Caller } from '../grants.ts';
import type { AccessFacts, Principal } from '../permissions/index.ts';
import { type Pair, type PairRow, selectPairs } from './store.ts';

export type FactsOfPair = {
  readonly asker: AccessFacts;
  /**
   * The same object as `asker` when callers ask about themselves. Null: there is no such user, or the user is
   * banned.
   */
  readonly subject: AccessFacts | null;
};

type Options = { db: Pick<Database, 'pipelined' | 'transaction'>; operatorsNeedSecondFactor: boolean };

/**
 * Adds the access of many to each question, which names a subject and a partner. All facts come from one
 * statement.
 */
export function createReadFactsOfMany({ db, operatorsNeedSecondFactor }: Options) {
  const toFacts = (principal: Principal, { partnerId, membership }: PairRow): AccessFacts => ({
    principal,
    partnerId,
    membership,
    operatorsNeedSecondFactor,
    item: 'none',
    ownRequiresSecondFactor: false,
  });

  return async <Question extends Pair>(
    { principal }: Caller,
    questions: readonly Question[],
  ): Promise<(Question & FactsOfPair)[]> => {
    const select = (on: Queryable) => selectPairs(on, principal, questions);
    // Many questions would delay the requests that share a connection.
    const rows =
      questions.length === 1 ? await select(db.pipelined) : await db.transaction(select, { lookUps: true });
    return questions.map((question, index) => {
      const [ofAsker, ofSubject] = rows[index] ?? [];
      if (ofAsker === undefined || ofSubject === undefined) throw new Error('A question has no row');
      const asker = toFacts(principal, ofAsker);
      const { person } = ofSubject;
      if (person?.userId === principal.userId) return { ...question, asker, subject: asker };
      return {
        ...question,
        asker,
        subject: person && !person.banned ? toFacts(inSession(person), ofSubject) : null,
      };
    });
  };
}

/** The person as in a session that has every proof that the person can give. */
const inSession = ({ userId, isOperator, hasSecondFactor }: NonNullable<PairRow['person']>): Principal => ({
  userId,
  role: isOperator ? 'operator' : 'user',
  secondFactor: hasSecondFactor ? 'proven' : 'not_enabled',
  credential: { kind: 'session', id: '' },
});
