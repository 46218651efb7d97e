// The load of `spread` with a filter on each endpoint.
import type { Case } from '../case.ts';
import { startStage } from '../stage.ts';
import { filter, measureSpread } from '../webhooks.ts';

export const spreadFiltered: Case = {
  name: 'spread_filtered',
  about: '`spread`, with a filter of two conditions on each endpoint that each event matches',
  limitMinutes: 5,
  yardstick: 'spread',
  measure: async (context) =>
    measureSpread('spread_filtered', await startStage(context), context.quick, { filter }),
};
