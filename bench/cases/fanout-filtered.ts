// The load of `fanout` with a filter on each endpoint.
import type { Case } from '../case.ts';
import { startStage } from '../stage.ts';
import { filter, measureFanout } from '../webhooks.ts';

export const fanoutFiltered: Case = {
  name: 'fanout_filtered',
  about: '`fanout`, with a filter of two conditions on each endpoint that each event matches',
  limitMinutes: 5,
  yardstick: 'fanout',
  measure: async (context) =>
    measureFanout('fanout_filtered', await startStage(context), context.quick, { filter }),
};
