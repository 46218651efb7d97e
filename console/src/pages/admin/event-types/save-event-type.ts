// Saves an event type over the version that was opened. The API has no If-Match here, so the type is read again
// before it is replaced.
import {
  ConcordError,
  type EventType,
  listEventTypes,
  type PutEventType,
  putEventType,
} from '@concord/client';
import { client } from '../../../api/client.ts';
import { type Ask, saveVersion, type Version } from '../../../api/save-version.ts';
import { toast } from '../../../api/toasts.ts';
import { readAgain, write } from '../../../api/write.ts';

/** Empty: the type does not exist yet. */
export type Fields = Partial<PutEventType>;
export type TypeVersion = Version<Fields>;

export const versionOf = (type: EventType | null): TypeVersion => {
  if (type === null) return { fields: {}, etag: '' };
  const { description, schema, example, partner_ids, deprecated, archived_at } = type;
  const fields = { description, schema, example, partner_ids, deprecated, archived: archived_at !== null };
  return { fields, etag: JSON.stringify(fields) };
};

/** In the lists: a new type is not there, which is no failure. */
async function load(name: string): Promise<TypeVersion> {
  const lists = await Promise.all([
    listEventTypes({ client }),
    listEventTypes({ client, query: { 'filter[archived]': 'true' } }),
  ]);
  return versionOf(lists.flat().find((type) => type.name === name) ?? null);
}

type Options = { name: string; base: TypeVersion; mine: Required<PutEventType>; force: boolean; ask: Ask };

/** What the type is now. */
export async function saveEventType({ name, base, mine, force, ask }: Options): Promise<TypeVersion> {
  const outcome = await saveVersion<Fields>({
    ...{ base, mine },
    load: () => load(name),
    save: async (changes, etag) => {
      const now = await load(name);
      if (now.etag !== etag)
        throw new ConcordError('Somebody else changed this event type', { code: 'precondition_failed' });
      const { description, schema, example } = { ...mine, ...now.fields };
      const body = { description, schema, example, ...changes };
      const query = force ? { force } : {};
      await write((writer) => putEventType({ client: writer, path: { name }, query, body }));
    },
    ask: (differences) =>
      ask(
        differences.map(({ field, mine: ours, theirs }) => ({
          field: fieldNames[field],
          mine: show(ours),
          theirs: show(theirs),
        })),
      ),
  });
  if (outcome === 'saved') toast({ tone: 'good', text: `${name} is saved` });
  else await readAgain();
  return load(name);
}

const fieldNames: Readonly<Record<keyof Fields, string>> = {
  description: 'Description',
  schema: 'Schema of the data',
  example: 'Example',
  partner_ids: 'Only these partners see it',
  deprecated: 'Deprecated',
  archived: 'Archived',
};

function show(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
