// What the counts of statistics cost the delivery path.
import type { Case } from '../case.ts';
import { compareInTurns } from '../in-turns.ts';
import { measureFanout } from '../webhooks.ts';

export const statisticsCost: Case = {
  name: 'statistics_cost',
  about:
    'the CPU time of service and PostgreSQL for a delivery of `fanout`, against that of the same without counts',
  limitMinutes: 10,
  onlyByName: true,
  measure: (context) =>
    compareInTurns(context, {
      name: 'statistics_cost',
      without: 'counts',
      unit: 'of the CPU time without',
      async measure(stage) {
        const [row] = await measureFanout('fanout', stage, context.quick);
        const { service, postgres } = row.cost.cpuMs;
        return { row, number: service + postgres };
      },
    }),
};
