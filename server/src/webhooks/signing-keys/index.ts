// The entry point of signing keys.
import type { Access } from '../../access/index.ts';
import type { Secret } from '../../base/config-values.ts';
import type { Feature } from '../../base/feature.ts';
import type { Database } from '../../base/postgres/database.ts';
import { registerSigningKeyRoutes } from './routes.ts';
import { chooseSigner, type SignerOptions, signWithNode } from './signer.ts';
import { createKeyring, type SigningKeys } from './signing-keys.ts';

export { environments } from '../environments.ts';
export { chooseSigner, signWithNode } from './signer.ts';
export type { KeyState, SigningKey } from './signing-key.ts';
export { createKeyring, listKeys, readKeyStates, type Signer, type SigningKeys } from './signing-keys.ts';

type Options = SignerOptions & {
  db: Database;
  access: Access;
  secrets: readonly Secret[];
  /** False: this process chooses no signer. */
  signs: boolean;
};

export function createSigningKeys({
  db,
  access,
  secrets,
  signs,
  ...signing
}: Options): Feature & { readonly keys: SigningKeys } {
  let createSign = signWithNode;
  const keys = createKeyring({ db, secrets, createSign: (privateKey) => createSign(privateKey) });
  return {
    keys,
    routes: (server) => registerSigningKeyRoutes(server, { db, keys, access }),
    tasks: [keys.rotation],
    async start() {
      if (signs) createSign = await chooseSigner(signing);
      await keys.ensure();
    },
  };
}
