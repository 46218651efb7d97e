// The keys by state, and how long the active ones sign already.
import type { Queryable } from '../../base/postgres/database.ts';
import { environments, keyStates } from './signing-key.ts';
import { listKeys } from './signing-keys.ts';

/** `ageSeconds`: of the active key; null for other states, and when no key is active. */
export async function readKeyStates(on: Queryable) {
  const keys = await listKeys(on);
  return environments.flatMap((environment) =>
    keyStates.map((state) => {
      const found = keys.filter((each) => each.key.environment === environment && each.state === state);
      const [active] = state === 'active' ? found : [];
      const ageSeconds = active ? (active.now - active.key.activatesAt) / 1_000 : null;
      return { environment, state, count: found.length, ageSeconds };
    }),
  );
}
