// Values of metrics as data that one process sends to another.
import type { MetricObjectWithValues, MetricValue } from '@prometheus-io/client';

export type Values = MetricObjectWithValues<MetricValue<string>>[];
type Sample = { value: number; labels: Record<string, string> };

/** Without samples it has no value. */
export const toGauge = (name: string, help: string, samples: readonly Sample[]): Values[number] =>
  // The types of the library want the number of an enumeration, its code the name.
  ({ name, help, type: 'gauge', aggregator: 'sum', values: [...samples] }) as unknown as Values[number];
