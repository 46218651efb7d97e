// What an import would do (behaviour W75). Pure.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '../store.ts';
import type { FoundType } from './read-document.ts';

type Action = 'new' | 'changed' | 'unchanged' | 'refused';
/** `content`: what is written. */
export type Step = { name: string; action: Action; reason: string | null; content: Content | null };
export type Content = Pick<EventType, 'description' | 'schema' | 'example'>;

/** `example` falls back to the present one. */
export const contentOf = (
  { description, schema, example }: FoundType,
  current: EventType | undefined,
): Content => ({
  description,
  schema: schema as Content['schema'],
  example: example === undefined ? current?.example : example,
});

export const isSame = (content: Content, { description, schema, example }: EventType): boolean =>
  isDeepStrictEqual(content, { description, schema, example });

/** Changes with the steps, and with any type that they are about. */
export const hashOf = (steps: readonly Step[], current: ReadonlyMap<string, EventType>): string =>
  createHash('sha256')
    .update(JSON.stringify(steps.map((step) => [step, current.get(step.name) ?? null])))
    .digest('hex');

export const isName = (text: string): boolean =>
  text.length <= 100 && /^[a-z0-9_]+(\.[a-z0-9_]+)*$/.test(text);
