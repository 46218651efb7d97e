// The HTTP of documents: one route for each, and /llms.txt. They are no operations of the contract.
import type { Access } from '../../access/index.ts';
import { entityTag, isKnown } from '../../base/http/entity-tag.ts';
import { docsPrefix, type HttpServer } from '../../base/http/server.ts';
import type { Document } from './documents.ts';
import { createLlmsText } from './llms-text.ts';

type Options = {
  access: Pick<Access, 'anyone'>;
  baseUrl: string;
  documents: readonly Document[];
};

export function registerDocumentRoutes(server: HttpServer, { access, ...options }: Options): void {
  const serve = (url: string, type: string, content: string, etag: string) =>
    server.get(url, { onRequest: access.anyone.hook, schema: { hide: true } }, async (request, reply) => {
      void reply.header('cache-control', 'no-cache');
      if (isKnown(request, reply, etag)) return reply.code(304).send();
      return reply.type(`${type}; charset=utf-8`).send(content);
    });

  const text = createLlmsText(options);
  serve('/llms.txt', 'text/plain', text, entityTag(text));
  for (const { path, type, content, etag } of options.documents)
    serve(`${docsPrefix}/${path}`, type, content, etag);
}
