// Many partners: one event a request, over 64 connections.
import type { Case } from '../case.ts';
import { startStage } from '../stage.ts';
import { measureSpread } from '../webhooks.ts';

export const spread: Case = {
  name: 'spread',
  about:
    '20,000 events to 100 partners with an endpoint each, one event a request: first request to last arrival',
  limitMinutes: 5,
  yardstick: 'single_insert',
  measure: async (context) => measureSpread('spread', await startStage(context), context.quick),
};
