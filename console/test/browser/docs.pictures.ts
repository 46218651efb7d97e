// `npm run pictures -- docs`: the pictures of the documentation, in docs/pictures.
import { join } from 'node:path';
import { it } from 'vitest';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';
import type { Role, World } from './world.ts';

const stage = prepareStage();
const folder = join(import.meta.dirname, '../../../docs/pictures');

type Picture = [name: string, role: Role, path: (world: World) => string];
const pictures: Picture[] = [
  ['overview', 'owner', ({ partner }) => `/p/${partner}`],
  ['people', 'owner', ({ partner }) => `/p/${partner}/people`],
  ['permissions', 'owner', ({ partner, agreements }) => `/p/${partner}/people/${agreements.viewer}`],
  ['endpoint', 'owner', ({ partner, endpoints }) => `/p/${partner}/webhooks/endpoints/${endpoints.failing}`],
  ['delivery', 'owner', ({ partner, delivery }) => `/p/${partner}/webhooks/deliveries/${delivery}`],
  ['platform', 'operator', () => '/admin'],
];

it.each(pictures)('%s', async (name, role, path) => {
  const page = await stage().openAs(role, { colorScheme: 'light', viewport: { width: 1200, height: 680 } });
  await show(page, path(stage().world));
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', caret: 'hide' });
});
