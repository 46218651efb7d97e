// The door of the console: serves the built console, its settings, and the small pages that links in mails open.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, onRequestAsyncHookHandler } from 'fastify';
import type { Feature } from '../feature.ts';
import { readFiles } from './files.ts';
import { invitationPage } from './invitation-page.ts';
import { linkPages } from './link-pages.ts';
import { registerConsoleFiles } from './serve.ts';
import { registerSettingsRoute, type SettingsOptions } from './settings.ts';

/** The pages load nothing from elsewhere, run no inline code, and cannot be framed. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
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

const defaultFolder = join(import.meta.dirname, '../../../console/dist');

const files = [
  ['/console/links.js', 'links.js', 'text/javascript; charset=utf-8'],
  ['/console/invitation.js', 'invitation.js', 'text/javascript; charset=utf-8'],
  ['/console/links.css', 'links.css', 'text/css; charset=utf-8'],
] as const;

type Options = SettingsOptions & {
  /** The settings and the small pages are open to anyone, and count against the limit of the address. */
  access: onRequestAsyncHookHandler;
  /** What `npm run console` built. */
  folder?: string;
  /** The folder cannot be served. */
  onProblem: (error: unknown) => void;
};

export function createConsole({ folder = defaultFolder, onProblem, ...options }: Options): Feature {
  const { access } = options;
  const send = (reply: FastifyReply, type: string, cacheControl: string, content: string) =>
    reply.headers({ ...securityHeaders, 'content-type': type, 'cache-control': cacheControl }).send(content);
  const route = { onRequest: access, schema: { hide: true } };
  /** The service works without the console. */
  function readBuild() {
    try {
      return readFiles(folder);
    } catch (error) {
      onProblem(error);
      return null;
    }
  }
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
      registerSettingsRoute(server, options);
      registerConsoleFiles(server, { files: readBuild(), securityHeaders });
    },
  };
}
