// Saves an event type over the version that was opened. The form has it from a list, without its entity tag, so the
// type is read again before it is replaced.
import {
  ConcordError,
  type EventType,
  getEventType,
  type PutEventType,
  putEventType,
  withResponse,
} from '@concord/client';
import { client } from '#api/client.ts';
import { isCode } from '#api/read.ts';
import { type Ask, saveVersion, type Version } from '#api/save-version.ts';
import { toast } from '#api/toasts.ts';
import { readAgain, write } from '#api/write.ts';

/** Empty: the type does not exist yet. */
export type Fields = Partial<PutEventType>;
export type TypeVersion = Version<Fields>;

export const versionOf = (type: EventType | null): TypeVersion => {
  if (type === null) return { fields: {}, etag: '' };
  const { description, schema, example, partner_ids, deprecated, archived_at } = type;
  const fields = { description, schema, example, partner_ids, deprecated, archived: archived_at !== null };
  return { fields, etag: JSON.stringify(fields) };
};

/** Null: the type does not exist yet. */
async function read(name: string): Promise<{ type: EventType; tag: string } | null> {
  try {
    const { data, response } = await withResponse(getEventType, { client, path: { name } });
    return { type: data, tag: response.headers.get('etag') ?? '' };
  } catch (error) {
    if (isCode(error, 'not_found')) return null;
    throw error;
  }
}

const load = async (name: string): Promise<TypeVersion> => versionOf((await read(name))?.type ?? null);

type Options = { name: string; base: TypeVersion; mine: Required<PutEventType>; force: boolean; ask: Ask };

/** What the type is now. */
export async function saveEventType({ name, base, mine, force, ask }: Options): Promise<TypeVersion> {
  const outcome = await saveVersion<Fields>({
    ...{ base, mine },
    load: () => load(name),
    save: async (changes, etag) => {
      const present = await read(name);
      const now = versionOf(present?.type ?? null);
      if (now.etag !== etag)
        throw new ConcordError('Somebody else changed this event type', { code: 'precondition_failed' });
      const { description, schema, example } = { ...mine, ...now.fields };
      const body = { description, schema, example, ...changes };
      const options = {
        path: { name },
        body,
        query: force ? { force } : {},
        ...(present && { headers: { 'if-match': present.tag } }),
      };
      await write(putEventType, options);
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
