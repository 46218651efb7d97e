// The period that statistics are asked for: whole steps of UTC. Pure.
import { Type } from 'typebox';
import { invalidRequest } from '../../base/errors.ts';
import { readMoment } from '../../base/http/schemas.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const stepMs = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '1h': hourMs,
  '6h': 6 * hourMs,
  '1d': dayMs,
} as const;
type Step = keyof typeof stepMs;
export const steps = Object.keys(stepMs) as Step[];

const maxSteps = 1_500;
export const minutesKeptMs = 7 * dayMs;
const defaultMs = dayMs;
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

/** What every operation with statistics takes (behaviour N4). */
export const periodQuery = {
  from: moment('The beginning of the period, moved back to a whole step. Default: 24 hours before `to`'),
  to: moment('The end of the period, moved ahead to a whole step. Default: now'),
  step: Type.Optional(
    Type.Enum(steps, {
      description: `The width of a step, in UTC. Default: 1h. A period has at most ${maxSteps} steps. A step below 1h reaches back 7 days.`,
    }),
  ),
};

export type Period = Readonly<{ from: Date; to: Date; step: Step; stepMs: number }>;
export type PeriodQuery = { from?: string | undefined; to?: string | undefined; step?: Step | undefined };

/** `finePeriodMs` limits a period with a step below an hour. @throws ServiceError invalid_request */
export function readPeriod(query: PeriodQuery, now: Date, finePeriodMs = minutesKeptMs + hourMs): Period {
  const { step = '1h' } = query;
  const width = stepMs[step];
  const to = query.to === undefined ? now : readMoment(query.to, '/to');
  const from =
    query.from === undefined ? new Date(to.getTime() - defaultMs) : readMoment(query.from, '/from');
  if (from >= to) throw invalidRequest('/from', 'must be before to');
  const first = Math.floor(from.getTime() / width) * width;
  const end = Math.ceil(to.getTime() / width) * width;
  // Times have years of four digits.
  if (end > lastMs) throw invalidRequest('/to', 'must be before 9999-12-31');
  const count = (end - first) / width;
  const tooMany = `must be longer: the period has ${count} steps, and at most ${maxSteps} are allowed`;
  if (count > maxSteps) throw invalidRequest('/step', tooMany);
  const tooOld = 'must be within the last 7 days, because the step is shorter than an hour';
  if (width < hourMs && from.getTime() < now.getTime() - minutesKeptMs) throw invalidRequest('/from', tooOld);
  const tooLong = `must be 1h or longer for a period of more than ${finePeriodMs / hourMs} hours`;
  if (width < hourMs && to.getTime() - from.getTime() > finePeriodMs) throw invalidRequest('/step', tooLong);
  return { from: new Date(first), to: new Date(end), step, stepMs: width };
}
