// A range of times in a filter: `<from>..<to>`, of which one may be left out.
import { invalidRequest } from '../errors.ts';
import { readMoment } from './schemas.ts';

export type TimeRange = { from?: Date; to?: Date };

/** @throws ServiceError invalid_request */
export function readTimeRange(text: string | undefined, pointer: string): TimeRange {
  if (text === undefined) return {};
  const invalidRange = () =>
    invalidRequest(pointer, 'must be <from>..<to> with RFC 3339 times; one of them may be left out');
  const read = (part: string) => {
    const isForm = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/i.test(part);
    // February 30 would be March 1.
    if (!isForm || new Date(part.slice(0, 10)).getUTCDate() !== Number(part.slice(8, 10)))
      throw invalidRange();
    return readMoment(part, pointer);
  };
  const parts = text.split('..');
  const [from = '', to = ''] = parts;
  if (parts.length !== 2 || (from === '' && to === '')) throw invalidRange();
  return { ...(from !== '' && { from: read(from) }), ...(to !== '' && { to: read(to) }) };
}
