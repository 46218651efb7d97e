// What an endpoint that hangs costs its neighbours.
import type { Case } from '../case.ts';
import { startStage } from '../stage.ts';
import { now, percentile } from '../statistics.ts';
import { costOf } from '../usage.ts';
import { createPartner, publishBatch, untilRecorded } from '../webhooks.ts';

const eventsEach = 20;

export const fair: Case = {
  name: 'fair',
  about: '100 endpoints with 20 deliveries each, beside one endpoint that hangs with 5,000: its time against the same alone',
  limitMinutes: 5,
  async measure(context) {
    const stage = await startStage(context);
    const crowd = await createPartner(stage.api, 100, stage.receiver.url);
    const deliveries = eventsEach * crowd.endpointIds.length;
    /** Seconds from the request to the last arrival. */
    async function deliver(): Promise<number> {
      const arrived = stage.receiver.arrived(deliveries);
      const start = now();
      await publishBatch(stage.api, crowd, eventsEach);
      const { last } = await arrived;
      await untilRecorded(stage);
      return (last - start) / 1_000;
    }
    const rounds = context.quick ? 1 : 5;
    async function measure() {
      const { result, use } = await stage.observe(async () => {
        const seconds: number[] = [];
        for (let round = 0; round < rounds; round++) seconds.push(await deliver());
        return seconds;
      });
      return { value: percentile(result, 0.5), cost: costOf(use, 'delivery', rounds * deliveries) };
    }
    await deliver();
    const alone = await measure();
    const hanging = await createPartner(stage.api, 1, `${stage.receiver.url}/hang`);
    for (let n = 0; n < (context.quick ? 1 : 5); n++) await publishBatch(stage.api, hanging, 1_000);
    const beside = await measure();
    return [
      { name: 'fair', value: beside.value / alone.value, unit: 'of alone', cost: beside.cost },
      { name: 'fair alone', ...alone, unit: 's' },
      { name: 'fair beside', value: beside.value, unit: 's' },
    ];
  },
};
