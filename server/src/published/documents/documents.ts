// The documents of the folder docs/ and the receivers in other languages, in memory: no path of a request reaches
// the file system.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { entityTag } from '../../base/http/entity-tag.ts';

export type Document = {
  /** Below /docs/, such as `behaviour/formats.md`. */
  readonly path: string;
  readonly type: 'text/markdown' | 'text/plain';
  readonly title: string;
  /** Its second-level headings. */
  readonly parts: readonly string[];
  readonly content: string;
  readonly etag: string;
};

/** The documents name an installation by this URL. */
const exampleUrl = /https:\/\/concord\.example\.com|http:\/\/127\.0\.0\.1:3000/g;
/** Code, which the document about receiving webhooks links to. */
const receiversFolder = 'receivers/';
const link = /(!?)\[([^\]\n]*)\]\(([^)\s]+)\)/g;

/** With the URL of this installation in each. @throws Error when the folder cannot be read */
export function readDocuments(folder: string, baseUrl: string): Document[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md') || path.startsWith(receiversFolder))
    .sort();
  const isServed = (path: string) => paths.includes(path);
  return paths.map((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    if (path.startsWith(receiversFolder))
      return { path, type: 'text/plain', title: path, parts: [], content: text, etag: entityTag(text) };
    const content = keepServedLinks(text, path, isServed).replaceAll(exampleUrl, baseUrl);
    const title = /^# (.+)$/m.exec(content)?.[1] ?? path;
    const parts = [...content.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
    return { path, type: 'text/markdown', title, parts, content, etag: entityTag(content) };
  });
}

/** A link to a file that is not served becomes its text. A picture goes. */
function keepServedLinks(text: string, from: string, isServed: (path: string) => boolean): string {
  return text.replaceAll(link, (whole, picture: string, label: string, target: string) => {
    if (/^(https?:|#)/.test(target)) return whole;
    const path = join(dirname(from), target.replace(/#.*/s, ''));
    if (isServed(path)) return whole;
    if (path === '../openapi.json') return `[${label}](/openapi.json)`;
    return picture ? '' : label;
  });
}
