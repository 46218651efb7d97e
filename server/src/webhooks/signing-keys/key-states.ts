// The keys by state, and how long the active ones sign already.
import type { Queryable } from '../../base/postgres/database.ts';
import { type Environment, environments, type KeyState, keyStates, stateOf } from './signing-key.ts';
import { selectKeys } from './store.ts';

/** `ageSeconds`: of the active key; null for other states, and when no key is active. */
type KeyCount = { environment: Environment; state: KeyState; count: number; ageSeconds: number | null };

export async function readKeyStates(on: Queryable): Promise<KeyCount[]> {
  const all = await Promise.all(environments.map((environment) => selectKeys(on, environment)));
  return environments.flatMap((environment, index) => {
    const { keys, now } = all[index] ?? { keys: [], now: 0 };
    return keyStates.map((state) => {
      const found = keys.filter((key) => stateOf(key, now) === state);
      const active = state === 'active' ? found[0] : undefined;
      return {
        environment,
        state,
        count: found.length,
        ageSeconds: active ? (now - active.activatesAt) / 1_000 : null,
      };
    });
  });
}
