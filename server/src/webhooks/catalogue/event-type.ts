// What a change of an event type means. Pure.
import { isDeepStrictEqual } from 'node:util';
import { readMoment } from '../../base/http/schemas.ts';
import type { PutEventType } from './schema.ts';
import type { Content, EventType } from './store.ts';

/** `GET /event-types/export` is an operation (behaviour W75). */
export const isReservedName = (name: string): boolean => name === 'export';

/** What is left out stays as it is. `before` null: the type is new. @throws ServiceError invalid_request */
export const merge = (
  name: string,
  before: EventType | null,
  {
    partner_ids = before?.partner_ids ?? null,
    deprecated,
    archived = (before?.archived_at ?? null) !== null,
    ...content
  }: PutEventType,
): Content => ({
  name,
  ...content,
  partner_ids,
  deprecated:
    deprecated === undefined ? (before?.deprecated ?? null) : deprecated && readDeprecated(deprecated),
  archived,
});

const readDeprecated = ({ at, successor = null }: NonNullable<PutEventType['deprecated']>) => ({
  at: readMoment(at, '/deprecated/at').toISOString(),
  successor,
});

/** Whether a partner can lose the type by the change. */
export function takesAway(before: EventType | null, after: EventType): boolean {
  if (before === null) return false;
  const { partner_ids: left } = after;
  return (
    (before.archived_at === null && after.archived_at !== null) ||
    (left !== null && (before.partner_ids === null || before.partner_ids.some((id) => !left.includes(id))))
  );
}

export const isNewlyDeprecated = (before: EventType | null, { deprecated }: Content): boolean =>
  deprecated !== null && !isDeepStrictEqual(before?.deprecated, deprecated);
