// What other parts must know of the built-in event types: their types in the receiver package, their names in
// the console. Both are made from the server's list.
import { schemaToType, typeName } from '../console/src/pages/webhooks/event-types/schema-to-type.ts';
import { type BuiltInEventType, isPlatformType, isReserved } from '../server/src/webhooks/index.ts';

const origin = '// Generated from server/src/webhooks/catalogue/built-in.ts by `npm run generate`.\n';

/** The files by their path in the repository. */
export function generateBuiltInEvents(types: readonly BuiltInEventType[]): Record<string, string> {
  const described = types.map(({ name, description, schema }) => {
    const type = typeName(name);
    return `\n${schemaToType(`${type}Data`, schema)}\n/** ${description} */\nexport type ${type} = WebhookEvent<'${name}', Readonly<${type}Data>>;\n`;
  });
  const union = (some: readonly BuiltInEventType[]) =>
    some.map(({ name }) => `\n  | ${typeName(name)}`).join('') || ' never';
  return {
    'packages/webhook-receiver/src/built-in-events.gen.ts': `${origin}import type { WebhookEvent } from './events.ts';
${described.join('')}
/** The events that every installation has for partners. \`type\` tells them apart. */
export type BuiltInEvent =${union(types.filter(({ name }) => !isReserved(name)))};

/** The events about the platform, for its own partner (behaviour W66). */
export type PlatformEvent =${union(types.filter(({ name }) => isPlatformType(name)))};
`,
    'console/src/pages/admin/built-in.gen.ts': `${origin}
export const builtInEventTypes: readonly string[] = [${types.map(({ name }) => `\n  '${name}',`).join('')}\n];
`,
  };
}
