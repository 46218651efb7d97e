// Saves an event type over the version that was opened. The form has it from a list, without its entity tag, so the
// type is read again before it is replaced.
import { ConcordError, type EventType, getEventType, type PutEventType, putEventType } from '@concord/client';
import { isCode, readNow } from '#api/read.ts';
import { saveVersion, type Version } from '#api/save-version.ts';
import { write } from '#api/write.ts';

/** Empty: the type does not exist yet. */
export type Fields = Partial<PutEventType>;
export type TypeVersion = Version<Fields>;

export const versionOf = (type: EventType | null): TypeVersion => {
  if (type === null) return { data: {}, etag: '' };
  const { description, schema, example, partner_ids, deprecated, archived_at } = type;
  const data = { description, schema, example, partner_ids, deprecated, archived: archived_at !== null };
  return { data, etag: JSON.stringify(data) };
};

/** Null: the type does not exist yet. */
async function read(name: string): Promise<{ type: EventType; tag: string } | null> {
  try {
    const { data, etag } = await readNow(getEventType, { path: { name } });
    return { type: data, tag: etag };
  } catch (error) {
    if (isCode(error, 'not_found')) return null;
    throw error;
  }
}

const load = async (name: string): Promise<TypeVersion> => versionOf((await read(name))?.type ?? null);

type Options = { name: string; base: TypeVersion; mine: Required<PutEventType>; force: boolean };

/** What the type is now. */
export async function saveEventType({ name, base, mine, force }: Options): Promise<TypeVersion> {
  await saveVersion<Fields>({
    thing: 'this event type',
    opened: base,
    mine,
    load: () => load(name),
    save: async (changes, headers) => {
      const present = await read(name);
      const now = versionOf(present?.type ?? null);
      if (now.etag !== headers['if-match'])
        throw new ConcordError('Somebody else changed this event type', { code: 'precondition_failed' });
      const { description, schema, example } = { ...mine, ...now.data };
      const body = { description, schema, example, ...changes };
      const options = {
        path: { name },
        body,
        query: force ? { force } : {},
        ...(present && { headers: { 'if-match': present.tag } }),
      };
      await write(putEventType, options);
    },
    names: fieldNames,
    show,
    done: `${name} is saved`,
  });
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
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
