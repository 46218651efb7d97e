// Presses a button twice while its first request is under way.
import type { Locator } from 'playwright-core';

/** The number of requests that change something, once `isDone` is on the page. `url`: theirs, as a pattern. */
export async function countOfTwoPresses(button: Locator, url: string, isDone: Locator): Promise<number> {
  const page = button.page();
  const pressed = Promise.withResolvers<void>();
  let count = 0;
  await page.route(url, async (route) => {
    if (route.request().method() === 'POST') count += 1;
    await pressed.promise;
    await route.continue();
  });
  await button.dblclick();
  pressed.resolve();
  await isDone.waitFor();
  await page.unroute(url);
  return count;
}
