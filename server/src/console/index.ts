// The door of the console: until the web console exists, it serves the small pages that links in mails open.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, onRequestAsyncHookHandler } from 'fastify';
import type { Feature } from '../feature.ts';
import { invitationPage } from './invitation-page.ts';
import { linkPages } from './link-pages.ts';

/** The pages load nothing from elsewhere, run no inline code, and cannot be framed. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const files = [
  ['/console/links.js', 'links.js', 'text/javascript; charset=utf-8'],
  ['/console/invitation.js', 'invitation.js', 'text/javascript; charset=utf-8'],
  ['/console/links.css', 'links.css', 'text/css; charset=utf-8'],
] as const;

/** `access`: the pages are open to anyone, and count against the limit of the address. */
export function createConsole({ access }: { access: onRequestAsyncHookHandler }): Feature {
  const send = (reply: FastifyReply, type: string, cacheControl: string, content: string) =>
    reply.headers({ ...securityHeaders, 'content-type': type, 'cache-control': cacheControl }).send(content);
  const route = { onRequest: access, schema: { hide: true } };
  return {
    routes(server) {
      // One page for every invitation: its script reads the id and the token from the URL.
      for (const [path, page] of Object.entries({ ...linkPages, '/console/invitations/:agreement_id': invitationPage })) {
        server.get(path, route, (_request, reply) => send(reply, 'text/html; charset=utf-8', 'no-store', page));
      }
      for (const [path, name, type] of files) {
        const content = readFileSync(join(import.meta.dirname, 'static', name), 'utf8');
        server.get(path, route, (_request, reply) => send(reply, type, 'no-cache', content));
      }
    },
  };
}
