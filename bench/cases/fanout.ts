// One partner with many endpoints.
import type { Case, Row } from '../case.ts';
import { startSeeded } from '../seeded.ts';
import { type Stage, startStage } from '../stage.ts';
import { createPartner, filter, publish, rateOf, warmUp } from '../webhooks.ts';

async function measureFanout(name: string, stage: Stage, settings: object = {}): Promise<Row[]> {
  const target = await createPartner(stage.api, 100, stage.receiver.url, settings);
  const events = stage.quick ? 20 : 200;
  await publish(stage, [target], events * warmUp);
  const observed = await stage.observe(() => publish(stage, [target], events));
  return [rateOf(name, 'delivery', events * target.endpointIds.length, observed)];
}

export const fanout: Case = {
  name: 'fanout',
  about: '200 events to 100 endpoints of one partner: first request to last arrival',
  limitMinutes: 5,
  yardstick: 'p384_async',
  measure: async (context) => measureFanout('fanout', await startStage(context)),
};

export const fanoutFiltered: Case = {
  name: 'fanout_filtered',
  about: '`fanout`, with a filter of two conditions on each endpoint that each event matches',
  limitMinutes: 5,
  yardstick: 'fanout',
  measure: async (context) => measureFanout('fanout_filtered', await startStage(context), { filter }),
};

export const fanoutHttps: Case = {
  name: 'fanout_https',
  about: '`fanout` to a receiver with TLS',
  limitMinutes: 5,
  yardstick: 'fanout',
  measure: async (context) => measureFanout('fanout_https', await startStage(context, { protocol: 'https' })),
};

export const fanoutWithHistory: Case = {
  name: 'fanout_with_history',
  about: '`fanout` beside ten million finished deliveries with their attempts; needs `--seed`',
  limitMinutes: 10,
  yardstick: 'fanout',
  seeded: true,
  measure: async (context) => measureFanout('fanout_with_history', await startSeeded(context)),
};
