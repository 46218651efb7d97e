// `npm run pictures -- all`: every screen wide and narrow, light and dark, to look at. Git ignores them.
import { join } from 'node:path';
import { it } from 'vitest';
import { screens, show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();
const folder = join(import.meta.dirname, 'pictures');
const windows = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 740 } };

it.each(screens)('$name', async ({ name, path, sees }) => {
  for (const [width, viewport] of Object.entries(windows)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const [role] = sees === 'public' ? [] : sees;
      const options = { viewport, colorScheme };
      const page = await (role === undefined ? stage().newPage(options) : stage().openAs(role, options));
      await show(page, path(stage().world));
      await page.screenshot({
        path: join(folder, `${name}-${width}-${colorScheme}.png`),
        fullPage: true,
        animations: 'disabled',
      });
    }
  }
});
