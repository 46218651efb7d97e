// The paths in the data of events that JSON Schemas name, and the types of their values.
import { stepsOf } from '#format/json.ts';
import { follow, isJsonObject, type Schema } from '../../event-types/schema.ts';

/** The types that the schemas have for the value at a path, also behind references to their own parts. */
export function typesOf(schemas: readonly Schema[], path: string): string[] {
  const names = stepsOf(path);
  const found = schemas.flatMap((root) => {
    let place = partsOf(root, [root]);
    for (const name of names)
      place = partsOf(
        root,
        place.flatMap((part) => below(part, name)),
      );
    return place.flatMap(ownTypes);
  });
  return [...new Set(found)];
}

/** The schemas that apply at one place. */
function partsOf(root: Schema, place: readonly unknown[]): Record<string, unknown>[] {
  const parts = new Set(place);
  // Those that are added are visited too, each once.
  for (const part of parts) {
    if (!isJsonObject(part)) continue;
    if (typeof part.$ref === 'string') parts.add(follow(root, part.$ref));
    for (const each of [part.allOf, part.anyOf, part.oneOf].flat()) parts.add(each);
  }
  return [...parts].filter(isJsonObject);
}

function below(part: Record<string, unknown>, name: string): unknown[] {
  if (isJsonObject(part.properties) && Object.hasOwn(part.properties, name)) return [part.properties[name]];
  return /^\d+$/.test(name) ? [part.items, part.additionalProperties] : [part.additionalProperties];
}

const ownTypes = ({
  type,
  const: one,
  enum: values = one === undefined ? [] : [one],
}: Record<string, unknown>): string[] => [
  ...[type].flat().filter((each) => typeof each === 'string'),
  ...[values].flat().map((value) => (value === null ? 'null' : typeof value)),
];

type KnownPath = { readonly path: string; readonly types: readonly string[] };
const maxDepth = 4;

/** The paths that schemas name. Deeper ones, and those behind references, can be typed. */
export function pathsOf(schemas: readonly Schema[]): KnownPath[] {
  const found = new Map<string, Set<string>>();
  const walk = (schema: unknown, path: string, depth: number): void => {
    if (!isJsonObject(schema) || depth > maxDepth) return;
    if (path !== '') found.set(path, new Set([...(found.get(path) ?? []), ...ownTypes(schema)]));
    if (isJsonObject(schema.items)) walk(schema.items, `${path}/0`, depth + 1);
    if (!isJsonObject(schema.properties)) return;
    for (const [name, member] of Object.entries(schema.properties))
      walk(member, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
  };
  for (const schema of schemas) walk(schema, '', 0);
  return [...found].map(([path, types]) => ({ path, types: [...types] }));
}
