// The text of a scrape: the values of this process, of its workers, and of the installation.
import { AggregatorRegistry } from '@prometheus-io/client';
import { toGauge, type Values } from './values.ts';

export const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** `process`: such as `worker-1`, which a replaced worker inherits. */
export type ProcessValues = { readonly process: string; readonly values: Values };

type Sources = {
  own: () => Promise<Values>;
  /** From those workers that answer. */
  workers: () => Promise<readonly ProcessValues[]>;
  wantedWorkers: number;
  installation: () => Promise<Values>;
};

/** Simultaneous scrapes share the work. */
export function createExposition({ own, workers, wantedWorkers, installation }: Sources) {
  let running: Promise<string> | undefined;

  async function write(): Promise<string> {
    const [mine, theirs, whole] = await Promise.all([own(), workers(), installation()]);
    const all = [{ process: 'main', values: mine }, ...theirs].map(({ process, values }) =>
      withLabel(values, process),
    );
    const processes = toGauge('concord_worker_processes', 'Worker processes of this instance, by state', [
      { value: wantedWorkers, labels: { state: 'wanted' } },
      { value: theirs.length, labels: { state: 'answering' } },
    ]);
    return AggregatorRegistry.aggregate([...all, whole, [processes]]).metrics();
  }

  return (): Promise<string> => {
    running ??= write().finally(() => {
      running = undefined;
    });
    return running;
  };
}

const withLabel = (metrics: Values, process: string) =>
  metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } })),
  }));
