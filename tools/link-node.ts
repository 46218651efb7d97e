// Links the pinned Node as node_modules/.bin/node, for npx, the systemd unit and the guides. `npm ci` runs
// it.
// npm 9 and 10 make this link, and remove it with those of the packages for other platforms, which have the
// same name.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const link = join(import.meta.dirname, '../node_modules/.bin/node');
mkdirSync(dirname(link), { recursive: true });
rmSync(link, { force: true });
symlinkSync(relative(dirname(link), process.execPath), link);
