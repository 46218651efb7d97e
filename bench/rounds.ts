// Measures the variants of a case in turns, so that whatever slows the machine for a while meets all of them.
import type { Case, Variant } from './case.ts';
import type { Context } from './context.ts';
import { type Spread, spreadOf } from './statistics.ts';

export type Row = {
  case: string;
  /** The name of the variant, and that of the number when it yields several: `idle/p50`. */
  variant: string;
  unit: string;
  value: Spread;
  /** The yardstick, and the ratios to it, each of one round. */
  against: string | null;
  ratio: Spread | null;
};

type Series = { variant: string; number: string; unit: string; values: number[] };

type Options = {
  definition: Pick<Case, 'name' | 'yardstick'>;
  variants: Variant[];
  rounds: number;
  context: Pick<Context, 'say' | 'scope'>;
};

export async function measureRounds({ definition, variants, rounds, context }: Options): Promise<Row[]> {
  const { name, yardstick } = definition;
  if (yardstick !== undefined && !variants.some((variant) => variant.name === yardstick))
    throw new Error(`${name} has no variant "${yardstick}", its yardstick`);
  const series = new Map<string, Series>();
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another variant: none is always the one after the busiest.
    const shift = round % variants.length;
    for (const variant of [...variants.slice(shift), ...variants.slice(0, shift)]) {
      const measured = await context.scope(variant.measure);
      const numbers = typeof measured === 'number' ? { '': measured } : measured;
      for (const [number, value] of Object.entries(numbers)) {
        const label = labelOf(variant.name, number);
        const known = series.get(label) ?? { variant: variant.name, number, unit: variant.unit, values: [] };
        known.values.push(value);
        series.set(label, known);
        context.say(`round ${round + 1} of ${rounds}: ${label} ${formatNumber(value)} ${variant.unit}`);
      }
    }
  }
  const order = variants.map((variant) => variant.name);
  return [...series.values()]
    .toSorted((a, b) => order.indexOf(a.variant) - order.indexOf(b.variant))
    .map((each) => ({
      case: name,
      variant: labelOf(each.variant, each.number),
      unit: each.unit,
      value: spreadOf(each.values),
      ...compare(each, yardstick === undefined ? undefined : series.get(labelOf(yardstick, each.number))),
    }));
}

function compare(series: Series, yardstick: Series | undefined): Pick<Row, 'against' | 'ratio'> {
  if (yardstick === undefined || yardstick === series) return { against: null, ratio: null };
  const ratios = series.values.map((value, round) => value / (yardstick.values[round] ?? Number.NaN));
  return { against: labelOf(yardstick.variant, yardstick.number), ratio: spreadOf(ratios) };
}

const labelOf = (variant: string, number: string) => (number === '' ? variant : `${variant}/${number}`);

/** Three significant digits, or all digits before the point. */
export function formatNumber(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
