// The document of an export. One batch of a part is in memory at a time.
import { Type } from 'typebox';
import type { Person, PersonalData } from '../../base/feature.ts';
import { Closed, Timestamp } from '../../base/http/schemas.ts';
import { serializer } from '../../base/http/serialization.ts';

export const documentSchema = (parts: readonly PersonalData[]) =>
  Closed(
    'PersonalData',
    {
      exported_at: Timestamp('When the export began. Later changes may be in it too'),
      ...byName(parts, ({ schema, single }) => (single ? schema : Type.Array(schema))),
    },
    {
      exported_at: '2026-01-31T08:00:00.000Z',
      ...byName(parts, ({ schema, single }) => {
        const { examples = [] } = schema as { examples?: unknown[] };
        return single ? examples[0] : examples;
      }),
    },
  );

const byName = <T>(parts: readonly PersonalData[], of: (part: PersonalData) => T): Record<string, T> =>
  Object.fromEntries(parts.map((part) => [part.name, of(part)]));

type Options = {
  parts: readonly PersonalData[];
  person: Person;
  exportedAt: Date;
  requireStillAllowed: () => Promise<void>;
};

export async function* writeDocument({
  parts,
  person,
  exportedAt,
  requireStillAllowed,
}: Options): AsyncGenerator<string> {
  yield `{"exported_at":${JSON.stringify(exportedAt.toISOString())}`;
  for (const { name, schema, single, read } of parts) {
    const toJson = serializer(schema);
    let separator = `,${JSON.stringify(name)}:${single ? '' : '['}`;
    for await (const batch of read(person)) {
      if (batch.length === 0) continue;
      await requireStillAllowed();
      yield separator + batch.map((item) => toJson(item)).join(',');
      separator = ',';
    }
    if (!single) yield separator === ',' ? ']' : `${separator}]`;
  }
  yield '}';
}
