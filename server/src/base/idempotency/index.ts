// The entry point of idempotent requests.
import type { Feature } from '../feature.ts';
import { deleteExpiredAnswers, eraseFromAnswers } from './store.ts';

export {
  beginIdempotent,
  isAnswered,
  keepAnswers,
  readIdempotencyKey,
  runIdempotent,
  transactIdempotent,
} from './idempotency.ts';
export { type Answer, created, type IdempotentRequest, noContent, ok } from './store.ts';

export const createIdempotency = (): Feature => ({
  tasks: [deleteExpiredAnswers],
  erasePerson: eraseFromAnswers,
});
