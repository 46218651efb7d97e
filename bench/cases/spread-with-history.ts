// The load of `spread` on top of a long history.
import type { Case } from '../case.ts';
import { startSeeded } from '../seeded.ts';
import { measureSpread } from '../webhooks.ts';

export const spreadWithHistory: Case = {
  name: 'spread_with_history',
  about: '`spread` beside ten million finished deliveries with their attempts; needs `--seed`',
  limitMinutes: 10,
  yardstick: 'spread',
  seeded: true,
  measure: async (context) => measureSpread('spread_with_history', await startSeeded(context), context.quick),
};
