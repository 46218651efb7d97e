// Compares a service with the same service without a part of its work.
import type { Row } from './case.ts';
import type { LeftOut } from './concord.ts';
import type { Context } from './context.ts';
import { type Stage, startStage } from './stage.ts';
import { percentile } from './statistics.ts';

type Comparison = {
  name: string;
  without: LeftOut;
  unit: string;
  /** The row to report, and the number to compare. */
  measure(stage: Stage): Promise<{ row: Row; number: number }>;
};

/**
 * Measures both in turns, each with a new database, so that whatever slows the machine for a while meets
 * both.
 * @returns the median ratio of the complete service to the other, with the cost of the complete one
 */
export async function compareInTurns(
  context: Context,
  { name, without, unit, measure }: Comparison,
): Promise<Row[]> {
  const ratios: number[] = [];
  let last: Row | undefined;
  for (let round = 0; round < (context.quick ? 1 : 5); round++) {
    const lean = await context.scope(async (scope) => measure(await startStage(scope, { without })));
    const full = await context.scope(async (scope) => measure(await startStage(scope)));
    ratios.push(full.number / lean.number);
    last = full.row;
    context.say(`${full.number} against ${lean.number}`);
  }
  const of = (share: number) => percentile(ratios, share);
  return [
    { ...last, name, value: of(0.5), unit },
    { name: `${name} lowest`, value: of(0), unit },
    { name: `${name} highest`, value: of(1), unit },
  ];
}
