// What a case is. The files in bench/cases/ export them.
import type { Context } from './context.ts';
import type { Cost } from './usage.ts';

export type Case = {
  /** Its name on the command line, in snake_case. */
  name: string;
  /** One line for the list of cases. */
  about: string;
  /** The case fails when it takes longer. */
  limitMinutes: number;
  /**
   * The first result of this case is compared with the first result of that one, which is measured before it.
   */
  yardstick?: string;
  /** Measured only when the command line names it. */
  onlyByName?: true;
  /** Needs the database that `--seed` fills. */
  seeded?: true;
  /** Whatever it starts through its context stops after it. */
  measure(context: Context): Promise<Row[]>;
};

export type Row = {
  /** The case, followed by what tells its results apart: `spread ack p50`. */
  name: string;
  value: number;
  unit: string;
  cost?: Cost;
};
