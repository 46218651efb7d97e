// What the description says about access tokens, against what an operator's token with every scope may do.
import { expect, it } from 'vitest';
import { succeed, useCast } from '../stage/cast.ts';

const { service, cast } = useCast();
type Described = { description: string; security?: { bearer?: string[] }[] };
const methods = ['get', 'post', 'put', 'patch', 'delete'];

it('F9: an operation that refuses every access token says that it requires a session', async () => {
  const partner = await cast.partner();
  const every = { get: true, put: true, post: true, patch: true, delete: true, query: true };
  const operator = await cast.user();
  const session = await cast.appoint(operator);
  const token = await cast.accessToken({ ...operator, token: session }, [{ resource: '*', ...every }]);
  const { paths } = succeed(await service.request('GET', '/openapi.json'));
  const wrong: string[] = [];
  let refused = 0;
  for (const [path, item] of Object.entries<Record<string, Described>>(paths)) {
    for (const method of methods.filter((name) => item[name])) {
      const { description, security = [] } = item[method] as Described;
      // It takes no credential, or can do without one.
      if (!security.some(({ bearer }) => bearer) || security.some(({ bearer }) => !bearer)) continue;
      // The partner exists, and nothing below it.
      const url = path
        .replace(/^\/partners\/\{id\}(?=\/)/, `/partners/${partner}`)
        .replaceAll(/\{\w+\}/g, 'none');
      const answer = await service.request(method.toUpperCase(), url, {
        token,
        body: method === 'get' ? undefined : [],
      });
      const isRefused = answer.status === 403 && /you need a session/.test(answer.body.message);
      const saysSo = description.endsWith('Requires a session, not an access token.');
      if (isRefused) refused++;
      if (isRefused ? !saysSo : saysSo && answer.status !== 404)
        wrong.push(`${method} ${path} ${answer.status}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(40);
});
