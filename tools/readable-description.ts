// What generators of clients stumble over in an OpenAPI description (rule F9).
import {
  isReadableEverywhere,
  type Json,
  mapParts,
  mapSchemas,
  typesOf,
} from '../server/src/base/http/openapi-schemas.ts';
import { isObject } from '../server/src/base/http/schemas.ts';

type Operation = {
  operationId?: string;
  description?: string;
  parameters?: { name: string; description?: string }[];
  requestBody?: { content: Json };
};
type Description = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> } & Json;
};

/** @returns a sentence for each problem */
export function findUnreadable(description: Description): string[] {
  const problems: string[] = [];
  const { schemas, ...components } = description.components;
  const examine = (schema: Json, place: string): Json => {
    problems.push(...problemsOf(schema).map((problem) => `${place}: ${problem}`));
    if (isObject(schema.properties))
      problems.push(`${place}: an object inside another schema: give it a name`);
    return mapParts(schema, examine, place);
  };
  for (const [name, schema] of Object.entries(schemas)) {
    problems.push(...problemsOf(schema).map((problem) => `${name}: ${problem}`));
    mapParts(schema, examine, name);
  }
  mapSchemas({ paths: description.paths, components }, examine);
  return [...problems, ...collisions(schemas), ...problemsOfOperations(description)];
}

function problemsOf(schema: Json): string[] {
  const types = typesOf(schema).filter((type) => type !== 'null');
  return [
    ...(('enum' in schema || 'const' in schema) && types.length === 0
      ? ['an enum or const without a type']
      : []),
    ...(types.length > 1 ? [`several types: ${types.join(', ')}`] : []),
    ...(typeof schema.pattern === 'string' && !isReadableEverywhere(schema.pattern)
      ? [`the pattern ${schema.pattern}`]
      : []),
  ];
}

/**
 * Go's generators call a constructor `New` and the type, and the type of a member as its schema and the
 * member.
 */
function collisions(schemas: Record<string, Json>): string[] {
  const names = new Set(Object.keys(schemas));
  return Object.entries(schemas).flatMap(([name, { properties }]) => [
    ...(names.has(`New${name}`)
      ? [`New${name}: this is the name of the constructor of ${name}: choose another`]
      : []),
    ...Object.entries(isObject(properties) ? properties : {})
      .filter(([, part]) => isObject(part) && 'enum' in part)
      .map(
        ([member]) => name + member.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      )
      .filter((inner) => names.has(inner))
      .map((inner) => `${inner}: this is the name of the type of a member of ${name}: choose another`),
  ]);
}

function problemsOfOperations({ paths }: Description): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(
      ([method, { operationId, description, parameters = [], requestBody }]) => {
        const types = Object.keys(requestBody?.content ?? {});
        return [
          ...(operationId ? [] : ['it has no operationId']),
          ...(description ? [] : ['it has no description']),
          ...parameters
            .filter((parameter) => !parameter.description)
            .map(({ name }) => `its parameter ${name} has no description`),
          ...(types.length > 1 ? [`its body has several media types: ${types.join(', ')}`] : []),
        ].map((problem) => `${method.toUpperCase()} ${path}: ${problem}`);
      },
    ),
  );
}
