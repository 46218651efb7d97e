// `concord types pull`: the event types as TypeScript.
import { type EventType, listEventTypes } from '@concord/client';
import type { Command } from '../command.ts';
import { toComment, toLiteral, toType, toTypeName } from '../types/schema-to-type.ts';
import { writeGenerated } from '../types/write-file.ts';

const mark = '// Written by `concord types pull`. Changes are lost.\n';

export const typesPull: Command = {
  path: ['types', 'pull'],
  summary: 'Write the event types as TypeScript',
  details: 'Replaces only a file that this command has written. A link is not followed.',
  argument: { name: '<file>', description: 'the file to write' },
  example: 'concord types pull src/concord-events.ts',
  async run({ client, input, out }) {
    const types = await listEventTypes({ client: client() });
    const file = input.required();
    await writeGenerated(file, mark, createFile(types));
    out.result({ file, types: types.map(({ name }) => name) }, `${file} has ${types.length} event types.`);
  },
};

type Pulled = Pick<EventType, 'name' | 'description' | 'schema'> & Partial<Pick<EventType, 'deprecated'>>;

/** Editors strike out what is marked. */
const wordsOf = ({ description, deprecated }: Pulled): string =>
  deprecated
    ? `${description} @deprecated From ${deprecated.at} on${deprecated.successor === null ? '' : `, use ${deprecated.successor}`}.`
    : description;

export function createFile(types: readonly Pulled[]): string {
  // `Record` is the only global type that the file uses.
  const used = new Set(['ConcordEvent', 'ConcordEventOf', 'Record']);
  const named = types.map((type) => {
    const base = toTypeName(type.name);
    let name = base;
    for (let number = 2; used.has(name); number++) name = `${base}${number}`;
    used.add(name);
    return { ...type, typeName: name };
  });
  const data = named.map(
    ({ typeName, ...type }) =>
      `${toComment(wordsOf(type))}export type ${typeName} = ${toType(type.schema)};\n`,
  );
  const union = named
    .map(({ name, typeName }) => `\n  | ConcordEventOf<${toLiteral(name)}, ${typeName}>`)
    .join('');
  return `${mark}
export type ConcordEventOf<Type extends string, Data> = {
  id: string;
  type: Type;
  created_at: string;
  partner_id: string;
  environment: 'live' | 'sandbox';
  data: Data;
};

${data.join('\n')}
export type ConcordEvent =${union === '' ? ' never' : union};
`;
}
