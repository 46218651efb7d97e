// Serves the built console: its files, one page for each of its paths, and the way to it from the root.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../base/errors.ts';
import { isListed } from '../base/http/entity-tag.ts';
import { accepts, isZero } from '../base/http/request-headers.ts';
import { anyone, type HttpServer, pageHeaders, pageSchema } from '../base/http/server.ts';
import type { File, Files } from './files.ts';

const reserved = new Set(['api', 'receiver', 'assets', 'settings']);

/** Constant text: it runs nothing and loads nothing. */
const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>The console is not built – Concord</title>
<link rel="icon" href="data:,">
<h1>The console is not built</h1>
<p>Concord runs, and its API works. To build the console, run this command in the folder of Concord, then start Concord again:</p>
<pre>npm run console</pre>
`;

/** No cache may keep it: during an upgrade, another instance can have the file. */
const notFound = () =>
  new ServiceError('not_found', { headers: { 'cache-control': 'no-store', vary: 'Accept' } });

const securityHeaders = pageHeaders("require-trusted-types-for 'script'");

/** `files` null: the console is not built. */
export function registerConsoleFiles(server: HttpServer, files: Files | null): void {
  // An answer costs less than counting it.
  const route = { onRequest: anyone, schema: pageSchema };
  const redirect = (reply: FastifyReply) => reply.header('vary', 'Accept').redirect('/console/', 303);

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { type, immutable, etag, content, encoded }: File,
  ) {
    void reply.headers({
      ...securityHeaders,
      'content-type': type,
      'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: immutable ? 'Accept-Encoding' : 'Accept, Accept-Encoding',
      etag,
    });
    if (isListed(request, etag)) return reply.code(304).send();
    const encoding = (['br', 'gzip'] as const).find(
      (each) => encoded[each] !== undefined && accepts(request.headers['accept-encoding'], each),
    );
    if (encoding !== undefined) void reply.header('content-encoding', encoding);
    return reply.send(encoding === undefined ? content : encoded[encoding]);
  }

  server.get('/', route, async (request, reply) => {
    if (!namesHtml(request)) throw notFound();
    return redirect(reply);
  });
  server.get('/console', route, async (_request, reply) => redirect(reply));
  server.get<{ Params: { '*': string } }>('/console/*', route, async (request, reply) => {
    const path = request.params['*'];
    const file = files?.get(path);
    if (file) return send(request, reply, file);
    const isPage = !reserved.has(path.split('/', 1)[0] ?? '') && allowsHtml(request.headers.accept);
    if (!isPage) throw notFound();
    const page = files?.get('index.html');
    if (page) return send(request, reply, page);
    const headers = {
      ...securityHeaders,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'Accept',
    };
    // A program must not take this for the page.
    return reply.code(503).headers(headers).send(notBuilt);
  });
}

/** Browsers name HTML when they open a page. */
const namesHtml = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.toLowerCase().includes('text/html') ?? false;

/** The most specific range decides (RFC 9110, 12.5.1). */
function allowsHtml(accept = ''): boolean {
  if (accept.trim() === '') return true;
  const ranges = accept.split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';');
    return { name: name.trim().toLowerCase(), refuses: parameters.some(isZero) };
  });
  const best = ['text/html', 'text/*', '*/*']
    .map((name) => ranges.find((range) => range.name === name))
    .find(Boolean);
  return best !== undefined && !best.refuses;
}
