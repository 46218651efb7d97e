// The entry point of the console: serves the built console and its settings.
import { join } from 'node:path';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { Feature } from '../base/feature.ts';
import { readFiles } from './files.ts';
import { registerConsoleFiles } from './serve.ts';
import { registerSettingsRoute, type SettingsOptions } from './settings.ts';

/** Nothing from elsewhere, no inline code, no frame. */
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

type Options = SettingsOptions & {
  /** The settings are open to anyone, and count against the limit of the address. */
  access: onRequestAsyncHookHandler;
  folder?: string;
  onProblem: (error: unknown) => void;
};

export function createConsole({ folder = defaultFolder, onProblem, ...options }: Options): Feature {
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
      registerSettingsRoute(server, options);
      registerConsoleFiles(server, { files: readBuild(), securityHeaders });
    },
  };
}
