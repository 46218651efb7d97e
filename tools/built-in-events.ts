// What other parts must know of the built-in event types: their types in the receiver package, their names in
// the console. Both are made from the server's list.
import { schemaToType, typeName } from '../console/src/pages/webhooks/event-types/schema-to-type.ts';
import type { BuiltInEventType } from '../server/src/webhooks/index.ts';

const origin = '// Generated from server/src/webhooks/catalogue/built-in.ts by `npm run generate`.\n';

/** The files by their path in the repository. */
export function generateBuiltInEvents(types: readonly BuiltInEventType[]): Record<string, string> {
  const described = types.map(({ name, description, schema }) => {
    const type = typeName(name);
    return `\n${schemaToType(`${type}Data`, schema)}\n/** ${description} */\nexport type ${type} = WebhookEvent<'${name}', Readonly<${type}Data>>;\n`;
  });
  const union = types.map(({ name }) => `\n  | ${typeName(name)}`).join('');
  return {
    'packages/webhook-receiver/src/built-in-events.gen.ts': `${origin}import type { WebhookEvent } from './events.ts';
${described.join('')}
/** The events that every installation has. \`type\` tells them apart. */
export type BuiltInEvent =${union};
`,
    'console/src/pages/admin/built-in.gen.ts': `${origin}
export const builtInEventTypes: readonly string[] = [${types.map(({ name }) => `\n  '${name}',`).join('')}\n];
`,
  };
}
