// Answers for the service while it does not serve the console itself: from console/dist, with the policy that it will send.
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { BrowserContext } from 'playwright-core';

const dist = join(import.meta.dirname, '../../dist');
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'";
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };

/** Whether the service needs this. */
export const isConsoleServed = async (origin: string): Promise<boolean> =>
  (await (await fetch(`${origin}/console/sign-in`)).text()).includes('id="root"');

export async function serveBuild(context: BrowserContext, origin: string): Promise<void> {
  await context.route(
    ({ origin: asked, pathname }) => asked === origin && /^\/console(?!\/(api|receiver)\/)/.test(pathname),
    (route) => {
      const { pathname } = new URL(route.request().url());
      const file = pathname.startsWith('/console/assets/') ? pathname.slice('/console/'.length) : 'index.html';
      const contentType = types[extname(file)] ?? 'text/html; charset=utf-8';
      const headers = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'content-type': contentType };
      return route.fulfill({ headers, body: readFileSync(join(dist, file)) });
    },
  );
}
