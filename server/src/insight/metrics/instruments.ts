// The instruments of one process. Features report to them through callbacks.

import { statfs } from 'node:fs/promises';
import { Counter, Gauge, Registry } from '@prometheus-io/client';
import { version } from '../../base/version.ts';
import { createDatabaseMetrics } from './database-metrics.ts';
import { createHttpMetrics } from './http-metrics.ts';
import { createProcessMetrics } from './process-metrics.ts';
import type { Values } from './values.ts';
import { createWebhookMetrics } from './webhook-metrics.ts';

export type Instruments = ReturnType<typeof createInstruments>;

export function createInstruments(host: Host) {
  const registry = new Registry();
  watchHost(registry, host);
  const registers = [registry];
  const accessReads = new Counter({
    name: 'concord_access_reads_total',
    help: 'Questions about the access of a caller. Those of one moment share a statement',
    registers,
  });
  const mailFailures = new Counter({
    name: 'concord_mail_failures_total',
    help: 'Mails that were not sent, by attempt',
    registers,
  });
  const taskFailures = new Counter({
    name: 'concord_scheduled_task_failures_total',
    help: 'Runs of scheduled tasks that failed',
    labelNames: ['task'],
    registers,
  });
  const workerEnds = new Counter({
    name: 'concord_worker_process_ends_total',
    help: 'Worker processes of this instance that ended by themselves, and were replaced',
    registers,
  });
  const signerInfo = new Gauge({
    name: 'concord_signer_info',
    help: 'Always 1. The label says what signs webhooks: the native module, or the crypto of Node',
    labelNames: ['signer'],
    registers,
  });
  let lanes = () => 0;
  new Gauge({
    name: 'concord_lanes_owned',
    help: 'Lanes that this process owns',
    registers,
    collect() {
      this.set(lanes());
    },
  });
  return {
    database: createDatabaseMetrics(registry),
    http: createHttpMetrics(registry),
    webhooks: createWebhookMetrics(registry),
    process: createProcessMetrics(registry),
    accessRead: (questions: number): void => accessReads.inc(questions),
    mailFailed: (): void => mailFailures.inc(),
    /** Without a beginning at 0, the first failure would be no increase. */
    watchTasks(names: readonly string[]): void {
      for (const task of names) taskFailures.inc({ task }, 0);
    },
    taskFailed: (task: string): void => taskFailures.inc({ task }),
    workerEnded: (): void => workerEnds.inc(),
    signerChosen: (signer: string): void => signerInfo.set({ signer }, 1),
    watchLanes(read: () => number): void {
      lanes = read;
    },
    read: (): Promise<Values> => registry.getMetricsAsJSON(),
  };
}

/** `databaseDir` null: the server is not ours. */
type Host = { databaseDir: string | null; role: string };

function watchHost(registry: Registry, { databaseDir, role }: Host): void {
  const registers = [registry];
  const disk = (
    dir: string,
    name: string,
    help: string,
    blocksOf: (state: { blocks: number; bavail: number }) => number,
  ) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const state = await statfs(dir).catch(() => null);
        if (state !== null) this.set(blocksOf(state) * state.bsize);
      },
    });
  if (databaseDir !== null) {
    disk(
      databaseDir,
      'concord_data_disk_size_bytes',
      'The disk of the embedded database',
      ({ blocks }) => blocks,
    );
    disk(
      databaseDir,
      'concord_data_disk_free_bytes',
      'Its free space that Concord can use',
      ({ bavail }) => bavail,
    );
  }
  new Gauge({
    name: 'concord_build_info',
    help: 'Always 1. The labels say what runs',
    labelNames: ['version', 'role', 'node'],
    registers,
  }).set({ version, role, node: process.version }, 1);
}
