// The load of `fanout` on top of a long history.
import type { Case } from '../case.ts';
import { startSeeded } from '../seeded.ts';
import { measureFanout } from '../webhooks.ts';

export const fanoutWithHistory: Case = {
  name: 'fanout_with_history',
  about: '`fanout` beside ten million finished deliveries with their attempts; needs `--seed`',
  limitMinutes: 10,
  yardstick: 'fanout',
  seeded: true,
  measure: async (context) => measureFanout('fanout_with_history', await startSeeded(context), context.quick),
};
