// A real Prometheus that scrapes the program and evaluates our alert rules, with short times.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { kill, newScratchDir } from '../stage/launch.ts';
import { freePort } from '../stage/listen.ts';

/** Debian's package prometheus has it. */
export const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;

const alertsFile = join(import.meta.dirname, '../../../deploy/grafana/alerts.yaml');

/**
 * Rules look at the last minute in place of 5 to 15, and fire after a second. Their conditions are unchanged.
 */
const hastened = () =>
  readFileSync(alertsFile, 'utf8')
    .replaceAll(/\[\d+m\]/g, '[1m]')
    .replaceAll(/for: \d+[mh]/g, 'for: 1s');

export async function startPrometheus(ports: readonly number[]) {
  const dir = newScratchDir();
  const own = await freePort();
  const targets = ports.map((port) => `127.0.0.1:${port}`);
  writeFileSync(join(dir, 'alerts.yaml'), hastened());
  writeFileSync(
    join(dir, 'prometheus.yaml'),
    JSON.stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['alerts.yaml'],
      scrape_configs: [{ job_name: 'concord', scrape_timeout: '1s', static_configs: [{ targets }] }],
    }),
  );
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(dir, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(dir, 'data')}`,
      `--web.listen-address=127.0.0.1:${own}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  onTestFinished(() => kill(child));
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${own}/api/v1/${path}`);
    return ((await answer.json()) as { data: Record<string, unknown[]> }).data;
  };
  type Alert = { state: string; labels: Record<string, string>; value: string };
  const firing = async () =>
    ((await ask('alerts')).alerts as Alert[]).filter(({ state }) => state === 'firing');
  const names = async () => [...new Set((await firing()).map(({ labels }) => labels.alertname))].toSorted();
  const samples = async (query: string) =>
    (await ask(`query?query=${encodeURIComponent(query)}`)).result?.length ?? 0;
  await expect.poll(() => samples('concord_database_up == 1').catch(() => 0)).toBe(ports.length);
  // Before the first scrape there is no target.
  await expect.poll(names).not.toContain('ConcordDown');
  return {
    names,
    samples,
    /** Waits until the alert fires, and prints what it says. */
    async fires(name: string) {
      await expect.poll(names, { message: name, timeout: 120_000 }).toContain(name);
      const alert = (await firing()).find(({ labels }) => labels.alertname === name);
      const {
        alertname: _,
        severity: _severity,
        instance: _instance,
        job: _job,
        ...labels
      } = alert?.labels ?? {};
      process.stdout.write(`    ${name} fires: ${alert?.value} ${JSON.stringify(labels)}\n`);
    },
  };
}
