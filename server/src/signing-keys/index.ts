// The door of signing keys.
import type { Access } from '../access/index.ts';
import type { Secret } from '../config-values.ts';
import type { Feature } from '../feature.ts';
import type { Database } from '../postgres/database.ts';
import { registerSigningKeyRoutes } from './routes.ts';
import { createKeyring, type SigningKeys } from './signing-keys.ts';

export { type Environment, environments } from './signing-key.ts';
export { createKeyring, type Signer, type SigningKeys } from './signing-keys.ts';

type Options = { db: Database; access: Access; secrets: readonly Secret[] };

export function createSigningKeys({ db, access, secrets }: Options): Feature & { readonly keys: SigningKeys } {
  const keys = createKeyring({ db, secrets });
  return {
    keys,
    routes: (server) => registerSigningKeyRoutes(server, { db, keys, access }),
    tasks: [keys.rotation],
    start: keys.ensure,
  };
}
