// Every screen of the console: where it is, who can see it, and its heading. A new screen gets a row here, and with it every test.
import type { Page } from 'playwright-core';
import { type Role, roles, type World } from './world.ts';

export type Screen = {
  /** Unique. Pictures are named after it. */
  name: string;
  /** Below /console. */
  path: (world: World) => string;
  /** A heading can name the thing that is shown. */
  heading: string | ((world: World, role: Role) => string);
  /** `public`: people who are not signed in. The others are told what they lack. */
  sees: readonly Role[] | 'public';
};

export const screens: readonly Screen[] = [
  { name: 'sign-in', path: () => '/sign-in', heading: 'Sign in', sees: 'public' },
  {
    name: 'home',
    path: () => '/',
    heading: ({ people }, role) => `Hello, ${people[role].name}`,
    sees: roles,
  },
];

/** Opens a page, and waits until it has read what it shows. `path`: below /console. */
export async function show(page: Page, path: string): Promise<void> {
  await page.goto(`/console${path}`);
  await page.locator('main h1').first().waitFor();
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
}
