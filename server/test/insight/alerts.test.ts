// deploy/grafana, compared with the metrics of a running service and with the operating guide.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { metricsUrlOf, type Sample, scrape, sumOf } from '../stage/scrape.ts';
import { useService } from '../stage/start-service.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'deploy/grafana');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

type Alert = { name: string; expr: string; summary: string; runbook: string };
const alerts: Alert[] = read('alerts.yaml')
  .split('- alert: ')
  .slice(1)
  .map((text) => {
    const member = (name: string) => new RegExp(`^ +${name}: (.+)$`, 'm').exec(text)?.[1] ?? '';
    return {
      name: text.split('\n')[0] ?? '',
      expr: member('expr'),
      summary: member('summary'),
      runbook: member('runbook'),
    };
  });
const dashboards = readdirSync(folder).filter((file) => file.endsWith('.json'));
type Panel = { title: string; targets?: { expr: string; legendFormat: string }[] };
const panelsOf = (file: string): Panel[] => JSON.parse(read(file)).panels;

let samples: Sample[];
const service = useService({ CONCORD_METRICS_PORT: '0' });
beforeAll(async () => {
  await service.sql('insert into last_backup (taken_at) values (concord_now())');
  const url = metricsUrlOf(service.announcements);
  await service.get('/partners');
  // The request is counted after it was answered.
  do samples = await scrape(url);
  while (
    ['concord_http_requests_total', 'nodejs_gc_duration_seconds_sum'].some(
      (name) => sumOf(samples, name) === undefined,
    )
  );
});

/** Labels that Prometheus adds. */
const added = new Set(['job', 'instance']);
/** A metric of Prometheus itself. */
const foreign = new Set(['up']);
/** Metrics of the embedded database (O80), which this service does not use. */
for (const name of ['concord_data_disk_free_bytes', 'concord_data_disk_size_bytes']) foreign.add(name);
const functions = /^(sum|max|rate|increase|changes|deriv|topk|histogram_quantile|and|or|absent)$/;

/** What an expression gets wrong about the metrics of the service. */
function faultsOf(expression: string) {
  // Variables of Grafana.
  const expr = expression.replaceAll('$__rate_interval', '5m').replaceAll('"$instance"', '".*"');
  const faults: string[] = [];
  const used = new Set<string>();
  const grouping: string[] = [];
  for (const [, list, name = '', selector = ''] of expr.matchAll(
    /\b(?:by|on|ignoring|group_left) *\(([^)]*)\)|\b([a-z_]\w*)(?:\{([^}]*)\})?/g,
  )) {
    if (list !== undefined) {
      grouping.push(...list.split(',').flatMap((label) => label.trim() || []));
      continue;
    }
    if (functions.test(name) || foreign.has(name)) continue;
    const found = samples.filter((each) => each.name === name);
    if (found.length === 0) faults.push(`${name} is no metric`);
    for (const each of found) for (const label of Object.keys(each.labels)) used.add(label);
    for (const [, label = '', operator = '', value = ''] of selector.matchAll(
      /([a-z_]+)(=~|!=|!~|=)"([^"]*)"/g,
    )) {
      if (added.has(label)) continue;
      if (found.length > 0 && !found.some(({ labels }) => label in labels))
        faults.push(`${name} has no label ${label}`);
      // These values come with what happens.
      else if (['status', 'route', 'statement'].includes(label)) continue;
      else
        for (const each of operator === '=~' ? value.split('|') : [value])
          if (!found.some(({ labels }) => labels[label] === each))
            faults.push(`${name} has no ${label} "${each}"`);
    }
  }
  for (const label of grouping)
    if (!used.has(label) && !added.has(label)) faults.push(`no metric of it has the label ${label}`);
  return faults;
}

it('O9: the check of expressions finds wrong names, labels and values', () => {
  expect(faultsOf('sum by (process) (rate(concord_leases_lost_total[5m])) > 0')).toEqual([]);
  expect(faultsOf('concord_lease_lost_total > 0')).toEqual(['concord_lease_lost_total is no metric']);
  expect(faultsOf('concord_lanes{kind="due"} > 0')).toEqual(['concord_lanes has no label kind']);
  expect(faultsOf('concord_lanes{state="gone"} > 0')).toEqual(['concord_lanes has no state "gone"']);
  expect(faultsOf('max by (partner) (concord_lanes)')).toEqual(['no metric of it has the label partner']);
});

it('O9: every metric, label and value in the alert rules is one that the service shows', () => {
  expect(alerts.length).toBeGreaterThanOrEqual(18);
  const faults = alerts.flatMap(({ name, expr }) => faultsOf(expr).map((fault) => `${name}: ${fault}`));
  expect(faults).toEqual([]);
  expect(alerts.filter(({ expr }) => !/concord_|process_|nodejs_|up\{/.test(expr))).toEqual([]);
});

it('O9: every metric, label and value in the dashboards is one that the service shows', () => {
  expect(dashboards).toEqual(['database.json', 'service.json', 'webhooks.json']);
  for (const file of dashboards) {
    const targets = panelsOf(file).flatMap(({ title, targets = [] }) =>
      targets.map((target) => ({ title, ...target })),
    );
    expect(targets.length).toBeGreaterThan(10);
    expect(
      targets.flatMap(({ title, expr }) => faultsOf(expr).map((fault) => `${file}, ${title}: ${fault}`)),
    ).toEqual([]);
    // A label that a legend shows is one that the expression keeps.
    for (const { title, expr, legendFormat } of targets)
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
        const kept = /\bby \(/.test(expr)
          ? expr
          : JSON.stringify(samples.filter(({ name }) => expr.includes(name)));
        expect(added.has(label) || kept.includes(label), `${file}, ${title}: {{${label}}}`).toBe(true);
      }
  }
});

it('O9: each alert has a section of the operating guide as its runbook, and each section an alert', () => {
  const guide = readFileSync(join(root, 'docs/operating/incident.md'), 'utf8');
  const sections = new Map(
    [...guide.matchAll(/^#### (Concord\w+)\n\n([^#]+)/gm)].map(([, name = '', text = '']) => [name, text]),
  );
  for (const { name, runbook } of alerts) {
    expect(runbook).toBe(`docs/operating/incident.md#${name.toLowerCase()}`);
    expect(sections.get(name)?.length ?? 0, `what to do about ${name}`).toBeGreaterThan(100);
  }
  expect([...sections.keys()].toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
});
