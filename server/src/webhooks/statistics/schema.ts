// The wire of a period, which every operation with statistics takes (behaviour N4).
import { Type } from 'typebox';
import { maxSteps, steps } from './period.ts';

const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

export const periodQuery = {
  from: moment('The beginning of the period, moved back to a whole step. Default: 24 hours before `to`'),
  to: moment('The end of the period, moved ahead to a whole step. Default: now'),
  step: Type.Optional(
    Type.Enum(steps, {
      description: `The width of a step, in UTC. Default: 1h. A period has at most ${maxSteps} steps. A step below 1h reaches back 7 days.`,
    }),
  ),
};
