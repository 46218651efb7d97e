// After a sign-in: to the page that the person wanted, on a fresh page without anything of another session.
import { getMe } from '@concord/client';
import { client } from '#api/client.ts';

/**
 * `path`: below the console, such as `/p/prt_1/people?state=pending`. Without one, operators see the overview
 * of the platform, and everybody else the start.
 */
export async function enterConsole(path: string | undefined): Promise<void> {
  const wanted = isPathOfConsole(path) && path !== '/' ? path : await firstPage();
  window.location.assign(`/console${wanted}`);
}

const firstPage = (): Promise<string> =>
  getMe({ client }).then(
    ({ role }) => (role === 'operator' ? '/admin' : '/'),
    () => '/',
  );

/** One slash and then no other: `//evil.example` and `/\evil.example` are addresses of other hosts. */
const isPathOfConsole = (path: string | undefined): path is string =>
  path !== undefined && /^\/(?![/\\])/.test(path);
