// `keys list`, `keys rotate` and `keys revoke`, also while Concord runs.
import { commandActor } from '../../audit/index.ts';
import { hasCode } from '../../base/errors.ts';
import { loadSecrets } from '../../base/secrets/index.ts';
import { createKeyring, environments, listKeys } from '../../webhooks/signing-keys/index.ts';
import { secretSettingsOf } from '../config.ts';
import { type Command, withDatabase } from './with-database.ts';

/** `action`: list, rotate or revoke. */
type Options = Omit<Command, 'report'> & { action: string; environment?: string; kid?: string };

export async function keysCommand({ action, config, environment, kid, announce }: Options): Promise<void> {
  const known = environments.find((each) => each === environment);
  if (action === 'rotate' && !known)
    throw new Error(
      '--environment must be live or sandbox: npm run concord -- keys rotate --environment live',
    );
  if (action === 'revoke' && kid === undefined)
    throw new Error('--kid is missing: npm run concord -- keys revoke --kid=KID. keys list shows all keys.');
  await withDatabase({ config, announce }, async (db) => {
    const secrets = await loadSecrets({ db, ...secretSettingsOf(config), announce });
    const keys = createKeyring({ db, secrets });
    const actor = commandActor(`keys ${action}`);
    if (known && action === 'rotate') {
      const at = await db.transaction((tx) => keys.rotate(tx, actor, known));
      announce(`The next ${known} key signs from ${at.toISOString()} on.`);
    } else if (kid !== undefined && action === 'revoke') {
      await db
        .transaction((tx) => keys.revoke(tx, actor, kid))
        .catch((error: unknown) => {
          throw hasCode(error, 'not_found')
            ? new Error(`There is no key ${kid}. keys list shows all keys.`)
            : error;
        });
      announce(
        `The key ${kid} is revoked. Receivers may trust it until their caches expire, 25 hours at most.`,
      );
    } else {
      for (const { key, state } of await listKeys(db)) {
        announce(
          `${key.environment} ${key.kid} ${state}, signs from ${new Date(key.activatesAt).toISOString()} to ${new Date(key.retiresAt).toISOString()}`,
        );
      }
    }
  });
}
