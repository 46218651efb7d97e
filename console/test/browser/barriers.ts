// What keeps people from using a page: barriers that axe finds, and windows that a page does not fit.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

type Scheme = 'light' | 'dark';

/** What axe finds: one line for each element. Empty: nothing. */
export async function findBarriers(page: Page, scheme: Scheme): Promise<string[]> {
  await page.emulateMedia({ colorScheme: scheme });
  // A button fades from the colours of one scheme to those of the other.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((each) => each instanceof CSSTransition).map(({ finished }) => finished)).then(() => null)`);
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${scheme}: ${id} at ${target.join(' ')}: ${failureSummary?.replaceAll('\n', ' ')}`,
    ),
  );
}

/** The pixels that the page is wider than its window. */
export const findOverflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
