// The alert rules, evaluated by promtool with the times of the rules.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { times } from '../stage/cast.ts';
import { newScratchDir } from '../stage/launch.ts';
import { hasPrometheus } from './prometheus.ts';

const deploy = join(import.meta.dirname, '../../../deploy');
const rules = join(deploy, 'grafana/alerts.yaml');
if (!hasPrometheus)
  process.stderr.write(
    'SKIPPED, NOT TESTED: alert rules over time: there is no prometheus (Debian: prometheus).\n',
  );

type Series = { series: string; values: string };
const on = (series: string, values: string): Series => ({
  series: series.replace('{', '{job="concord",instance="a",'),
  values,
});

/**
 * Whether the alert fires at one of these minutes. `values` are one each minute, in the notation of promtool:
 * `0+60x30` is a counter.
 */
function firesAt(minutes: number | readonly number[], alertname: string, series: readonly Series[]) {
  const file = join(newScratchDir(), 'rules.test.yaml');
  const test = {
    interval: '1m',
    input_series: series,
    alert_rule_test: [minutes]
      .flat()
      .map((minute) => ({ eval_time: `${minute}m`, alertname, exp_alerts: [] })),
  };
  writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '1m', tests: [test] }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  const output = stdout + stderr;
  // promtool says what it got in place of nothing.
  if (status !== 0 && !/got:\[\s*\d*:?\s*Labels:/s.test(output)) throw new Error(output);
  return status !== 0;
}

const pending = 'concord_deliveries_pending{}';
const created = 'concord_deliveries_created_total{environment="live"}';
const ended = 'concord_deliveries_ended_total{environment="live",status="delivered"}';

it.skipIf(!hasPrometheus)('O9: a backlog goes on firing where its count stops, while it grows', () => {
  const grows = [on(created, '0+6000x90'), on(ended, '0+60x90')];
  expect(firesAt(40, 'ConcordBacklogGrows', [on(pending, '0+5000x90'), ...grows])).toBe(true);
  const stopped = on(pending, '0+5000x20 100000x70');
  expect(firesAt(80, 'ConcordBacklogGrows', [stopped, ...grows])).toBe(true);
  // It shrinks, or an endpoint is paused and the others get theirs.
  expect(firesAt(80, 'ConcordBacklogGrows', [stopped, on(created, '0+60x90'), on(ended, '0+6000x90')])).toBe(
    false,
  );
  expect(firesAt(80, 'ConcordBacklogGrows', [stopped, on(created, '0+60x90'), on(ended, '0+60x90')])).toBe(
    false,
  );
});

it.skipIf(!hasPrometheus)(
  'O9: a task that fails in a short outage does not fire, one that goes on failing does',
  () => {
    const failures = 'concord_scheduled_task_failures_total{task="seal the audit log"}';
    const outage = on(failures, '0x10 60x60');
    expect(firesAt([11, 12, 15, 20, 26, 40], 'ConcordTasksFail', [outage])).toBe(false);
    expect(firesAt(30, 'ConcordTasksFail', [on(failures, '0x10 0+2x60')])).toBe(true);
  },
);

it.skipIf(!hasPrometheus)(
  'O81: mails fire when the server fails, or delays several domains or three recipients, and not for one address',
  () => {
    const mails = (oldest: string, unrefused: string, domains: string, recipients: string) => [
      on('concord_mail_oldest_age_seconds{}', oldest),
      on('concord_mail_oldest_unrefused_age_seconds{}', unrefused),
      on('concord_mail_refusing_domains{}', domains),
      on('concord_mail_delayed_recipients{}', recipients),
    ];
    expect(firesAt(40, 'ConcordMailWaits', mails('0+60x60', '0x60', '1x60', '1x60'))).toBe(false);
    expect(firesAt(40, 'ConcordMailWaits', mails('0+60x60', '0x60', '1x60', '2x60'))).toBe(false);
    expect(firesAt(40, 'ConcordMailWaits', mails('0+60x60', '0x60', '1x60', '3x60'))).toBe(true);
    expect(firesAt(40, 'ConcordMailWaits', mails('0+60x60', '0x60', '2x60', '2x60'))).toBe(true);
    expect(firesAt(40, 'ConcordMailWaits', mails('0+60x60', '0+60x60', '0x60', '0x60'))).toBe(true);
  },
);

it.skipIf(!hasPrometheus)(
  'O9: requests that fail fire also beside many probes, and single ones at night do not',
  () => {
    const requests = (route: string, status: number, values: string) =>
      on(`concord_http_requests_total{method="GET",route="${route}",status="${status}"}`, values);
    const probes = requests('/health/ready', 200, '0+600x60');
    // Half of 10 requests a minute.
    const failing = [requests('/partners/:id', 200, '0+5x60'), requests('/partners/:id', 500, '0+5x60')];
    expect(firesAt(30, 'ConcordServerErrors', [probes, ...failing])).toBe(true);
    expect(firesAt(30, 'ConcordServerErrors', [requests('/health/ready', 500, '0+60x60')])).toBe(false);
    const rare = [
      requests('/partners/:id', 200, '0+1x60'),
      requests('/partners/:id', 500, '0x10 1x2 2x2 3x60'),
    ];
    const minutes = times(20, (index) => 10 + index);
    expect(firesAt(minutes, 'ConcordServerErrors', rare)).toBe(false);
  },
);

it.skipIf(!hasPrometheus)(
  'O9, K12: an identity provider of a company that does not answer, or slowly, does not fire, and an error of ours there does',
  () => {
    const routes = ['/api/auth/sign-in/connection', '/api/auth/connections/:connection_id/callback'];
    const answers = (status: number) =>
      routes.map((route) =>
        on(`concord_http_requests_total{method="POST",route="${route}",status="${status}"}`, '0+60x60'),
      );
    expect(firesAt(30, 'ConcordServerErrors', answers(503))).toBe(false);
    expect(firesAt(30, 'ConcordServerErrors', [...answers(200), ...answers(500)])).toBe(true);
    const slow = (route: string) =>
      ['5', '+Inf'].map((le) =>
        on(`concord_http_request_duration_seconds_bucket{route="${route}",le="${le}"}`, '0+60x60'),
      );
    expect(firesAt(30, 'ConcordSlowRequests', routes.flatMap(slow))).toBe(false);
    expect(firesAt(30, 'ConcordSlowRequests', slow('/partners/:id'))).toBe(true);
  },
);

it.skipIf(!hasPrometheus)(
  'O9: a few retries to one receiver at night do not fire, many failed attempts do',
  () => {
    const attempts = (outcome: string, values: string) =>
      on(`concord_attempts_total{environment="live",outcome="${outcome}"}`, values);
    const delivered = attempts('delivered', '0x90');
    expect(firesAt(60, 'ConcordAttemptsFail', [delivered, attempts('status_5xx', '0+1x90')])).toBe(false);
    expect(
      firesAt(60, 'ConcordAttemptsFail', [
        attempts('delivered', '0+60x90'),
        attempts('status_5xx', '0+60x90'),
      ]),
    ).toBe(true);
  },
);

it.skipIf(!hasPrometheus)(
  'O9: an installation that Prometheus no longer finds is down, and other programs are not Concord',
  () => {
    expect(firesAt(10, 'ConcordDown', [{ series: 'up{job="other",instance="b"}', values: '1x20' }])).toBe(
      true,
    );
    expect(firesAt(10, 'ConcordDown', [{ series: 'up{job="concord",instance="a"}', values: '1x20' }])).toBe(
      false,
    );
    const lag = { series: 'nodejs_eventloop_lag_p99_seconds{job="other",instance="b"}', values: '2x20' };
    expect(firesAt(15, 'ConcordEventLoopBlocked', [lag])).toBe(false);
    expect(
      firesAt(15, 'ConcordEventLoopBlocked', [
        on('nodejs_eventloop_lag_p99_seconds{process="main"}', '2x20'),
      ]),
    ).toBe(true);
  },
);

it('O9: the job of the pod monitor has the name that the rules expect', () => {
  // Without a jobLabel, the Prometheus operator calls the job namespace/name.
  expect(readFileSync(join(deploy, 'helm/templates/pod-monitor.yaml'), 'utf8')).toMatch(
    /^ {2}jobLabel: app\.kubernetes\.io\/name$/m,
  );
  expect(readFileSync(join(deploy, 'helm/templates/_helpers.tpl'), 'utf8')).toContain(
    'app.kubernetes.io/name: concord\n',
  );
});
