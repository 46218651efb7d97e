// One partner with many endpoints.
import type { Case } from '../case.ts';
import { startStage } from '../stage.ts';
import { measureFanout } from '../webhooks.ts';

export const fanout: Case = {
  name: 'fanout',
  about: '200 events to 100 endpoints of one partner: first request to last arrival',
  limitMinutes: 5,
  yardstick: 'p384_async',
  measure: async (context) => measureFanout('fanout', await startStage(context), context.quick),
};
