// The disk of the data directory, and what the process runs.
import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from '@prometheus-io/client';

export type Host = { dataDir: string; role: string; version: string };

export function watchHost(registry: Registry, { dataDir, role, version }: Host): void {
  const registers = [registry];
  const disk = (name: string, help: string, blocksOf: (state: { blocks: number; bavail: number }) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const state = await statfs(dataDir).catch(() => null);
        if (state !== null) this.set(blocksOf(state) * state.bsize);
      },
    });
  disk('concord_data_disk_size_bytes', 'The disk of the data directory', ({ blocks }) => blocks);
  disk('concord_data_disk_free_bytes', 'Its free space that Concord can use', ({ bavail }) => bavail);
  new Gauge({
    name: 'concord_build_info',
    help: 'Always 1. The labels say what runs',
    labelNames: ['version', 'role', 'node'],
    registers,
  }).set({ version, role, node: process.version }, 1);
}
