// Many partners: one event a request, over 64 connections.
import type { Case } from '../case.ts';
import { startSeeded } from '../seeded.ts';
import { startStage } from '../stage.ts';
import { filter, measureSpread } from '../webhooks.ts';

export const spread: Case = {
  name: 'spread',
  about:
    '20,000 events to 100 partners with an endpoint each, one event a request: first request to last arrival',
  limitMinutes: 5,
  yardstick: 'single_insert',
  measure: async (context) => measureSpread('spread', await startStage(context)),
};

export const spreadFiltered: Case = {
  name: 'spread_filtered',
  about: '`spread`, with a filter of two conditions on each endpoint that each event matches',
  limitMinutes: 5,
  yardstick: 'spread',
  measure: async (context) => measureSpread('spread_filtered', await startStage(context), { filter }),
};

export const spreadWithHistory: Case = {
  name: 'spread_with_history',
  about: '`spread` beside ten million finished deliveries with their attempts; needs `--seed`',
  limitMinutes: 10,
  yardstick: 'spread',
  seeded: true,
  measure: async (context) => measureSpread('spread_with_history', await startSeeded(context)),
};
