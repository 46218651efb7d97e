// The code of docs/receiving-webhooks.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The code block under a heading. */
export function extractCode(section: string): string {
  const document = readFileSync(join(import.meta.dirname, '../docs/receiving-webhooks.md'), 'utf8');
  const code = new RegExp(`^### ${section}\\n[^]*?^\`\`\`\\w+\\n([^]*?)^\`\`\`$`, 'm').exec(document)?.[1];
  if (!code) throw new Error(`docs/receiving-webhooks.md has no code for ${section}`);
  return code;
}
