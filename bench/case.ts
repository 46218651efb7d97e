// What a case is. Each file in bench/cases/ exports one; bench/run.ts finds it there.
import type { Context } from './context.ts';

export type Case = {
  /** Its name on the command line, in snake_case. */
  name: string;
  /** One line for the list of cases. */
  about: string;
  /** How often each variant is measured, unless `--rounds` says otherwise. */
  rounds: number;
  /** The case fails when it takes longer. */
  limitMinutes: number;
  /** The variant that ratios refer to. Without it the table has no ratios. */
  yardstick?: string;
  /** Prepares what all rounds share, and returns the variants. Whatever it starts through its context stops with the case. */
  setUp(context: Context): Promise<Variant[]>;
};

export type Variant = {
  name: string;
  unit: string;
  /**
   * Measures once. Whatever it starts through its context stops after it.
   * A measurement that yields several numbers names them: `{ p50: 3.1, p95: 8.2 }`.
   */
  measure(context: Context): Promise<number | Record<string, number>>;
};
