// /llms.txt (llmstxt.org): what a program that reads text needs to know first, and a link to each document.
import { version } from '../../base/version.ts';
import type { Document } from './documents.ts';

type Options = { baseUrl: string; documents: readonly Document[] };

/** A folder of docs/, and its heading. The last can be left out by readers that are short of space. */
const sections: readonly (readonly [folder: string, heading: string])[] = [
  ['', 'Guides'],
  ['identity', 'Identity providers'],
  ['behaviour', 'Rules'],
  ['operating', 'Operating'],
  ['console', 'The console'],
  ['decisions', 'Optional'],
];

export function createLlmsText({ baseUrl, documents }: Options): string {
  const lists = sections.map(([folder, heading]) => {
    const lines = documents
      .filter(({ path }) => path.split('/').slice(0, -1).join('/') === folder)
      .map(({ path, title, parts }) => {
        const about = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
        return `- [${title}](${baseUrl}/docs/${path})${about}`;
      });
    return lines.length === 0 ? '' : `\n## ${heading}\n\n${lines.join('\n')}\n`;
  });
  return `# Concord ${version}

> Concord keeps partners (businesses), gives people access to them by agreements, and sends signed webhooks. This installation is at ${baseUrl}.

- Send JSON, with \`Authorization: Bearer TOKEN\`. A person makes an access token in the console, under Account, Access tokens.
- Each error is \`{"message", "code", "request_id", "errors"?}\`. Decide by \`code\`, never by \`message\`.
- Repeat a POST only with the same \`Idempotency-Key\`. Send \`If-Match\` with the \`ETag\` to change only what you have read.
- A list takes \`page_size\` and \`page_from\`; its \`Link\` header has the next page.
- A receiver must verify the signature of each webhook (RFC 9421) over the bytes that arrived, and answer 2xx.

## Interface

- [openapi.json](${baseUrl}/openapi.json): every operation, in OpenAPI 3.1. [openapi-3.0.json](${baseUrl}/openapi-3.0.json) is for older generators.
- [Packages](${baseUrl}/packages): the client, the receiver and the command line for npm, of this version.
${lists.join('')}`;
}
