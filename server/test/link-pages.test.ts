// The pages that links in mails open: their HTTP, and what their text and script may do. Nothing here runs the script.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from './start-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const get = (path: string) => service.request('GET', `/console/${path}`, { token: null });
const pages = { verify: 'verify-email', reset: 'reset-password', delete: 'delete-user/confirm' };

it('T8: the pages load only their own script and style, cannot be framed, and are not stored', async () => {
  for (const path of [...Object.keys(pages), 'links.js', 'links.css']) {
    const { status, headers } = await get(path);
    expect([path, status, headers['content-security-policy']]).toEqual([
      path,
      200,
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'",
    ]);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': path in pages ? 'no-store' : 'no-cache',
    });
    expect(headers['set-cookie']).toBeUndefined();
  }
});

it('T8: a page has no inline code, and its form goes to the operation that completes its link', async () => {
  for (const [page, operation] of Object.entries(pages)) {
    const { text, headers } = await get(page);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain(`action="/api/auth/${operation}"`);
    expect(text).not.toMatch(/<script(?![^>]* src="\/console\/links\.js")|<style|\son\w+=|\sstyle=|javascript:/);
    expect([...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url)).toEqual([
      ...['data:,', '/console/links.css', '/console/links.js'],
    ]);
    // Each field has a label, and says to a password manager what it is.
    for (const [input] of text.matchAll(/<input[^>]*type="password"[^>]*>/g)) {
      expect(input).toMatch(/autocomplete="(current|new)-password"/);
      expect(text).toContain(`<label for="${/id="(\w+)"/.exec(input)?.[1]}">`);
    }
  }
});

it('T8: the script takes the token out of the address bar, and sends nothing before the form is submitted', async () => {
  const { text, headers } = await get('links.js');
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(text).toContain("history.replaceState(null, '', location.pathname)");
  expect(text).not.toMatch(
    /innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|localStorage|sessionStorage|document\.cookie/,
  );
  expect(text.match(/fetch\(/g)).toHaveLength(1);
  expect(text.match(/(?<!function )\bsend\(\)/g)).toHaveLength(1);
  expect(text.indexOf("addEventListener('submit'")).toBeLessThan(text.indexOf('await send()'));
});
