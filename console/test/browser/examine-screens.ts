// What is held for each screen, as each kind of person: it opens or says what is missing, has no barriers,
// and fits narrow and enlarged windows. Two files share the screens, since each runs on a core of its own.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findBarriers, findOverflow } from './barriers.ts';
import { type Screen, show } from './screens.ts';
import type { prepareStage } from './stage.ts';
import { type Role, roles } from './world.ts';

const narrow = { width: 360, height: 740 };
/** What is left of 1280 x 800 when everything is twice as large. */
const enlarged = { width: 640, height: 400 };
/** What people are told in the place of a screen that they may not see. */
const refusal = /You need the permission|you have no access|does not exist|For operators only/;

export function examine(screens: readonly Screen[], stage: ReturnType<typeof prepareStage>): void {
  const open = (role: Role | null, options = {}): Promise<Page> =>
    role === null ? stage().newPage(options) : stage().openAs(role, options);

  describe.each(screens)('$name', (screen) => {
    const { heading, sees } = screen;
    const headingFor = (role: Role | null): string =>
      typeof heading === 'string' ? heading : heading(stage().world, role ?? 'stranger');
    const maySee = (role: Role | null) => role === null || sees.includes(role);
    const everybody = sees === 'public' ? [null] : roles;
    const first = everybody.find(maySee) ?? null;
    /** One of those who see the screen, and one of those who do not. */
    const examined = [first, everybody.find((role) => !maySee(role))];

    it.each(everybody)('B44, B46: as %s it opens or says what is missing, without barriers', async (role) => {
      const page = role === null ? await stage().newPage() : await stage().walkAs(role);
      await show(page, screen.path(stage().world));
      if (maySee(role)) expect(await page.locator('main h1').innerText()).toBe(headingFor(role));
      else expect(await page.locator('main').innerText()).toMatch(refusal);
      if (!examined.includes(role)) return;
      for (const scheme of ['dark', 'light'] as const) expect(await findBarriers(page, scheme)).toEqual([]);
    });

    it('B46: fits a narrow window and one at 200 %, without barriers', async () => {
      const page = await open(first, { viewport: narrow, deviceScaleFactor: 2 });
      await show(page, screen.path(stage().world));
      expect(await findOverflow(page)).toBe(0);
      expect(await findBarriers(page, 'dark')).toEqual([]);
      await page.setViewportSize(enlarged);
      expect(await findOverflow(page)).toBe(0);
    });
  });
}
