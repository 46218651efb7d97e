// The disk of the embedded database, and what the process runs.
import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from '@prometheus-io/client';

/** `databaseDir` null: the server is not ours. */
export type Host = { databaseDir: string | null; role: string; version: string };

export function watchHost(registry: Registry, { databaseDir, role, version }: Host): void {
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
