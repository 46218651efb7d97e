// Computes statistics again from the history, and compares.
import { expect } from 'vitest';
import { succeed, uuidOf } from '../../stage/cast.ts';
import type { TestService } from '../../stage/start-service.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

type Attempt = { started_at: Date; duration_ms: number; status_code: number | null; error: string | null };
type Numbers = Pick<Stats, 'attempts' | 'delivered' | 'failed'>;
export type Stats = {
  attempts: number;
  delivered: number;
  failed: { reason: string; count: number }[];
  p50_ms: number | null;
  p95_ms: number | null;
  steps: (Stats & { at: string })[];
};

export const historyOf = (on: TestService, where = 'true', values: unknown[] = []): Promise<Attempt[]> =>
  on.database.sql(
    `select started_at, duration_ms, status_code, error from attempt join delivery on delivery.id = delivery_id where ${where}`,
    values,
  );
export const ofEndpoint = (on: TestService, id: string) => historyOf(on, 'endpoint_id = $1', [uuidOf(id)]);
export const ofPartner = (on: TestService, id: string) => historyOf(on, 'partner_id = $1', [uuidOf(id)]);

export function numbersOf(attempts: Attempt[]): Numbers {
  const reasons = attempts.map(({ status_code: status, error }) => {
    if (status === null) return error!.slice(0, error!.indexOf(':'));
    return { 2: 'delivered', 3: 'redirect', 4: 'status_4xx', 5: 'status_5xx' }[Math.floor(status / 100)]!;
  });
  const failed = Object.entries(Object.groupBy(reasons, (reason) => reason))
    .filter(([reason]) => reason !== 'delivered')
    .map(([reason, all]) => ({ reason, count: all!.length }));
  return {
    attempts: attempts.length,
    delivered: reasons.filter((reason) => reason === 'delivered').length,
    failed: failed.toSorted((a, b) => (a.reason < b.reason ? -1 : 1)),
  };
}

function expectPercentiles(stats: Stats, attempts: Attempt[]) {
  const durations = attempts
    .filter(({ status_code }) => status_code !== null)
    .map(({ duration_ms }) => duration_ms);
  durations.sort((a, b) => a - b);
  for (const [share, value] of [
    [0.5, stats.p50_ms],
    [0.95, stats.p95_ms],
  ] as const) {
    const exact = durations[Math.ceil(durations.length * share) - 1];
    if (exact === undefined) expect(value).toBeNull();
    else expect([exact, value, exact <= value! && value! <= exact * 1.1]).toEqual([exact, value, true]);
  }
}

export function expectHistory(stats: Stats, attempts: Attempt[], stepMs: number) {
  const { attempts: count, delivered, failed, steps } = stats;
  expect({ attempts: count, delivered, failed }).toEqual(numbersOf(attempts));
  expectPercentiles(stats, attempts);
  const byStep = Map.groupBy(
    attempts,
    ({ started_at }) => Math.floor(started_at.getTime() / stepMs) * stepMs,
  );
  const wanted = [...byStep].toSorted(([a], [b]) => a - b);
  expect(steps.map(({ at, attempts, delivered, failed }) => ({ at, attempts, delivered, failed }))).toEqual(
    wanted.map(([at, all]) => ({ at: new Date(at).toISOString(), ...numbersOf(all) })),
  );
  for (const [index, [, all]] of wanted.entries()) expectPercentiles(steps[index]!, all);
}

export const read = async (on: TestService, path: string) => succeed(await on.request('GET', path));
