// `keys list`, `keys rotate` and `keys revoke`. They also work while Concord is running.
import type { Config } from '../config.ts';
import { loadSecrets } from '../secrets/index.ts';
import { createKeyring, environments } from '../signing-keys/index.ts';
import { withDatabase } from './with-database.ts';

type Options = {
  action: 'list' | 'rotate' | 'revoke';
  config: Config;
  environment: string | undefined;
  kid: string | undefined;
  announce: (line: string) => void;
};

export async function keysCommand({ action, config, environment, kid, announce }: Options): Promise<void> {
  const known = environments.find((each) => each === environment);
  if (action === 'rotate' && !known)
    throw new Error('--environment must be live or sandbox: npm run concord -- keys rotate --environment live');
  if (action === 'revoke' && kid === undefined)
    throw new Error('--kid is missing: npm run concord -- keys revoke --kid=KID. keys list shows all keys.');
  await withDatabase({ config, announce, mayCreate: false }, async (db) => {
    const { CONCORD_DATA_DIR: dataDir, CONCORD_SECRETS: configured } = config;
    const secrets = await loadSecrets({ db, dataDir, configured, announce });
    const keys = createKeyring({ db, secrets });
    if (known && action === 'rotate') {
      const moment = await db.transaction((tx) => keys.rotate(tx, known));
      announce(`The next ${known} key signs from ${moment.toISOString()} on.`);
    } else if (kid !== undefined && action === 'revoke') {
      await db
        .transaction((tx) => keys.revoke(tx, kid))
        .catch((error: { code?: unknown }) => {
          throw error.code === 'not_found' ? new Error(`There is no key ${kid}. keys list shows all keys.`) : error;
        });
      announce(`The key ${kid} is revoked. Receivers may trust it until their caches expire, 25 hours at most.`);
    } else {
      for (const { key, state } of await keys.list()) {
        announce(
          `${key.environment} ${key.kid} ${state}, signs from ${new Date(key.activatesAt).toISOString()} to ${new Date(key.retiresAt).toISOString()}`,
        );
      }
    }
  });
}
