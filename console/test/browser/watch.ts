// What must never happen on a page, whatever a test does with it: it is collected here, and asserted at the
// end of the test.
import type { BrowserContext, ConsoleMessage } from 'playwright-core';

/**
 * A violation of the Content-Security-Policy may say nothing on the console, so each page reports its own.
 */
const reportViolations = `addEventListener('securitypolicyviolation', (event) =>
  console.error('Content-Security-Policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile));`;

/**
 * Chromium writes a line for each answer of 400 and more. The API's refusals are part of the tests; its
 * failures are not.
 */
const isRefusal = (message: ConsoleMessage): boolean =>
  /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text()) &&
  new URL(message.location().url).pathname.startsWith('/console/api/');

/** These lines appear when a test cuts the page off from the service, or takes files of the console away. */
const isUnreachable = (message: ConsoleMessage): boolean =>
  /^Failed to load resource: (net::ERR_|the server responded with a status of 5)|^(Type)?Error: A part of the console could not be loaded/.test(
    message.text(),
  ) ||
  (/^Failed to load resource: .* 404 /.test(message.text()) &&
    message.location().url.includes('/console/assets/'));

export type Watch = {
  /** What has happened since the last call. Empty: all is well. */
  take(): string[];
  /** From now on the service, or a file of the console, may be unreachable. */
  expectOutage(): void;
};

/** Watches every page of a context. `origin`: the only one that requests may go to. */
export async function watch(context: BrowserContext, origin: string): Promise<Watch> {
  const problems: string[] = [];
  let isOutageExpected = false;
  await context.addInitScript(reportViolations);
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (isRefusal(message) || (isOutageExpected && isUnreachable(message))) return;
    problems.push(`console ${message.type()} on ${message.page()?.url()}: ${message.text()}`);
  });
  context.on('weberror', (thrown) =>
    problems.push(`error on ${thrown.page()?.url()}: ${thrown.error().stack}`),
  );
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:', 'about:'].includes(url.protocol))
      problems.push(`request to another origin: ${request.method()} ${url.href}`);
  });
  return {
    take: () => problems.splice(0),
    expectOutage() {
      isOutageExpected = true;
    },
  };
}
