// What an endpoint that hangs costs its neighbours.
import type { Case } from '../case.ts';
import { startStage } from '../stage.ts';
import { percentile } from '../statistics.ts';
import { type Cost, costOf } from '../usage.ts';
import { createPartner, deliver, publishBatch } from '../webhooks.ts';

const eventsEach = 20;

export const fair: Case = {
  name: 'fair',
  about:
    '100 endpoints with 20 deliveries each, beside one endpoint that hangs with 5,000: its time against the same while that one is paused',
  limitMinutes: 5,
  async measure(context) {
    const stage = await startStage(context);
    const crowd = await createPartner(stage.api, 100, stage.receiver.url);
    const deliveries = eventsEach * crowd.endpointIds.length;
    const deliverAll = () => deliver(stage, deliveries, () => publishBatch(stage, crowd, eventsEach));
    const hanging = await createPartner(stage.api, 1, `${stage.receiver.url}/hang`);
    const setHanging = (action: 'pause' | 'resume') =>
      stage.api.post(
        `/partners/${hanging.partnerId}/webhook-endpoints/${hanging.endpointIds[0]}/${action}`,
        {},
      );
    for (let n = 0; n < (stage.quick ? 1 : 5); n++) await publishBatch(stage, hanging, 1_000);
    /** Both in turns, so that whatever slows the machine for a while meets both. The first round warms up. */
    const rounds = stage.quick ? 1 : 7;
    const seconds = { alone: [] as number[], beside: [] as number[] };
    const used: { alone?: { cost: Cost }; beside?: { cost: Cost } } = {};
    for (let round = 0; round <= rounds; round++) {
      for (const [name, action] of [['alone', 'pause'] as const, ['beside', 'resume'] as const]) {
        await setHanging(action);
        const { result, use } = await stage.observe(deliverAll);
        if (round > 0) seconds[name].push(result.seconds);
        used[name] = { cost: costOf(use, 'delivery', deliveries) };
      }
    }
    const [alone, beside] = [percentile(seconds.alone, 0.5), percentile(seconds.beside, 0.5)];
    return [
      { name: 'fair', value: beside / alone, unit: 'of alone', ...used.beside },
      { name: 'fair alone', value: alone, unit: 's', ...used.alone },
      { name: 'fair beside', value: beside, unit: 's' },
    ];
  },
};
