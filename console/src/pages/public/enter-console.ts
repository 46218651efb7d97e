// After a sign-in: to the page that the person wanted, on a fresh page without anything of another session.

/** `path`: below the console, such as `/p/prt_1/people?state=pending`. Everything else leads to the start. */
export function enterConsole(path: string | undefined): void {
  window.location.assign(`/console${isPathOfConsole(path) ? path : '/'}`);
}

/** One slash and then no other: `//evil.example` and `/\evil.example` are addresses of other hosts. */
const isPathOfConsole = (path: string | undefined): path is string => path !== undefined && /^\/(?![/\\])/.test(path);
