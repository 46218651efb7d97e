// A browser with a page of the console: it keeps cookies, and sends the headers of a page's own requests.
import { expect } from 'vitest';
import type { Response, TestService } from './start-service.ts';

export const consoleUrl = 'https://concord.test';
/** What a browser adds to a request of a page to its own origin. */
export const ownPage = {
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
};

export type Browser = ReturnType<typeof openBrowser>;

/** The names of cookies begin with `__Host-` when the base URL is https. */
export function openBrowser(service: TestService) {
  const jar = new Map<string, string>();
  const cookieHeader = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  function keep({ headers }: Pick<Response, 'headers'>) {
    for (const cookie of [headers['set-cookie'] ?? []].flat()) {
      const [pair = '', ...attributes] = cookie.split('; ');
      const [name = ''] = pair.split('=', 1);
      if (name.startsWith('concord_oauth_state')) continue;
      const secure = name.startsWith('__Host-') ? '; Secure' : '';
      expect(attributes.join('; ').replace(/=\d+/, '=')).toBe(
        `Path=/; Max-Age=; HttpOnly; SameSite=Strict${secure}`,
      );
      if (attributes.includes('Max-Age=0')) jar.delete(name);
      else jar.set(name, pair.slice(name.length + 1));
    }
  }

  async function request(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string | string[]> } = {},
  ) {
    const cookie = cookieHeader();
    const sent = { ...ownPage, ...(cookie !== '' && { cookie }), ...headers };
    const answer = await service.request(method, `/console/api${path}`, { token: null, body, headers: sent });
    keep(answer);
    return answer;
  }

  return {
    jar,
    keep,
    request,
    get: (path: string) => request('GET', path),
    post: (path: string, body: object = {}) => request('POST', `/api/auth/${path}`, { body }),
    session: () => jar.get('__Host-concord'),
  };
}
