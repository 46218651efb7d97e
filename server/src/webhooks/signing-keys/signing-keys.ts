// What can be done with signing keys: publish, rotate, revoke. Private keys are sealed, and leave this file
// only to sign.
import { createPrivateKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { CreateSign, Sign } from '@concord/p384-signer';
import { calculateJwkThumbprint } from 'jose';
import { type Actor, changesBetween, recordAction } from '../../audit/index.ts';
import type { Secret } from '../../base/config-values.ts';
import { requireFound, tooMany } from '../../base/errors.ts';
import { isStorable } from '../../base/http/schemas.ts';
import type { Database, Queryable, Transaction } from '../../base/postgres/database.ts';
import type { ScheduledTask } from '../../base/postgres/scheduled-tasks.ts';
import { createEncryption, type Encryption } from '../../base/secrets/index.ts';
import { type Environment, environments } from '../environments.ts';
import { createKnownKeys } from './known-keys.ts';
import { signWithNode } from './signer.ts';
import {
  isPublished,
  type KeyState,
  keyStates,
  nextStep,
  rotationSteps,
  type SigningKey,
  stateOf,
  timesOf,
} from './signing-key.ts';
import * as store from './store.ts';

const generate = promisify(generateKeyPair);

/** A JWKS of more would soon be larger than the 64 KiB that receivers read. */
const mostPublished = 200;

/** A key of the JWKS. It has exactly these members (W5). */
export type Jwk = store.PublicJwk & { kid: string; key_ops: ['verify'] };
export type Signer = Readonly<{ kid: string; sign: Sign }>;
export type SigningKeys = ReturnType<typeof createKeyring>;

/** `createSign` makes what signs with a private key; the crypto of Node by default. */
type Options = { db: Database; secrets: readonly Secret[]; createSign?: CreateSign };

export function createKeyring({ db, secrets, createSign = signWithNode }: Options) {
  const encryption = createEncryption(secrets, 'signing keys');
  const knownKeysOf = (environment: Environment) =>
    createKnownKeys({ read: () => db.forAll(() => store.selectKeys(db, environment)) });
  const known = { live: knownKeysOf('live'), sandbox: knownKeysOf('sandbox') };
  /** Locks the keys of the environment, applies a change, and then creates the keys that are missing. */
  async function change<T>(
    tx: Transaction,
    environment: Environment,
    apply: (before: readonly SigningKey[]) => Promise<T>,
  ): Promise<T> {
    await store.lockEnvironment(tx, environment);
    const { keys: before } = await store.selectKeys(tx, environment);
    const result = await apply(before);
    await fillUp(tx, environment, encryption);
    tx.afterCommit(known[environment].changed);
    return result;
  }

  const createMissing = (tx: Transaction, environment: Environment) =>
    change(tx, environment, async () => {});

  return {
    /**
     * The JWKS: the keys of present signatures, of the next ones, and of those of the last three weeks. From
     * memory while the database is away.
     */
    async publish(environment: Environment): Promise<{ keys: Jwk[] }> {
      const { keys, now } = await known[environment].get();
      return {
        keys: keys
          .filter((key) => isPublished(key, now))
          .map(({ kid, publicJwk: { kty, crv, x, y } }) => ({ kty, crv, x, y, kid, key_ops: ['verify'] })),
      };
    },

    /** Creates the keys that are missing, and remembers all. Instances may call it at the same time. */
    async ensure(): Promise<void> {
      for (const environment of environments) {
        await db.transaction((tx) => createMissing(tx, environment));
        await known[environment].get();
      }
    },

    /** Returns when the next key takes over: when it has been published long enough, or now. */
    rotate: (tx: Transaction, actor: Actor, environment: Environment, isImmediate = false): Promise<Date> =>
      change(tx, environment, async (before) => {
        // A database that no service has used, or not for months, has no key that could take over.
        await fillUp(tx, environment, encryption);
        const { after, at } = await takeOver(tx, environment, isImmediate);
        const details = { environment, ...(isImmediate && { immediately: true }) };
        await record(tx, actor, { action: 'rotate', target: null, details, before, after });
        return at;
      }),

    /**
     * Removes the key from the JWKS at once. If it was active, the next key signs from now on. @throws
     * ServiceError not_found
     */
    async revoke(tx: Transaction, actor: Actor, kid: string): Promise<void> {
      const environment = requireFound(isStorable(kid) ? await store.selectEnvironment(tx, kid) : null);
      const before = await change(tx, environment, async (keys) => {
        await store.revokeKey(tx, kid);
        return keys;
      });
      const { keys: after } = await store.selectKeys(tx, environment);
      await record(tx, actor, { action: 'revoke', target: kid, before, after });
    },

    signers: createSigners(encryption, createSign),

    rotation: {
      name: 'rotate signing keys',
      intervalMs: 60_000,
      async run(tx) {
        for (const environment of environments) await createMissing(tx, environment);
      },
    } satisfies ScheduledTask,
  };
}

/** Applies steps until one key signs and its successor is published. */
async function fillUp(tx: Transaction, environment: Environment, encryption: Encryption): Promise<void> {
  for (;;) {
    const { keys, now } = await store.selectKeys(tx, environment);
    const step = nextStep(keys, now);
    if (!step) return;
    if ('change' in step) await store.updatePeriod(tx, step);
    else {
      const made = await createKey(encryption, environment);
      await store.insertKey(tx, { ...step.create, ...made, sequence: keys.length + 1, createdAt: now });
    }
  }
}

/** Lets the next key take over, and says when it does. */
async function takeOver(tx: Transaction, environment: Environment, isImmediate: boolean) {
  const { keys, now } = await store.selectKeys(tx, environment);
  if (isImmediate && keys.filter((key) => isPublished(key, now)).length >= mostPublished)
    throw tooMany(
      `${mostPublished} keys are published. Revoke old ones, or wait: each leaves the JWKS 21 days after it has stopped signing.`,
    );
  const steps = rotationSteps(keys, now, isImmediate);
  for (const step of steps) await store.updatePeriod(tx, step);
  const { keys: after } = await store.selectKeys(tx, environment);
  const pending = after.filter((key) => stateOf(key, now) === 'pending');
  const at = steps[0]?.to.retiresAt ?? Math.min(...pending.map(({ activatesAt }) => activatesAt));
  return { after, at: new Date(at) };
}

async function createKey(encryption: Encryption, environment: Environment) {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: 'P-384' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const publicJwk = { kty: 'EC', crv: 'P-384', x, y } as const;
  const kid = await calculateJwkThumbprint(publicJwk);
  const jwk = JSON.stringify(privateKey.export({ format: 'jwk' }));
  return { kid, environment, publicJwk, sealed: encryption.encrypt(jwk, context(environment, kid)) };
}

function createSigners(encryption: Encryption, createSign: CreateSign) {
  /** What signs with the active keys, by environment. */
  let signers = new Map<Environment, Signer>();
  function signerOf({ environment, kid, sealed }: store.ActiveKey): Signer {
    const present = signers.get(environment);
    if (present?.kid === kid) return present;
    const key = JSON.parse(encryption.decrypt(sealed, context(environment, kid)));
    return { kid, sign: createSign(createPrivateKey({ key, format: 'jwk' })) };
  }

  /**
   * The active key of each environment. Read from the database each time, so that a revoked key signs
   * nothing more.
   */
  return async (on: Queryable): Promise<Record<Environment, Signer>> => {
    const active = await store.selectActive(on);
    // A key that signs no more leaves the memory with its last attempt: both libraries overwrite a key that they
    // free.
    signers = new Map(active.map((key) => [key.environment, signerOf(key)]));
    const signerFor = (environment: Environment) => {
      const signer = signers.get(environment);
      if (!signer) throw new Error(`No key signs for ${environment}`);
      return signer;
    };
    return { live: signerFor('live'), sandbox: signerFor('sandbox') };
  };
}

/** Binds the sealed private key to its kid and environment. */
const context = (environment: Environment, kid: string) => `${environment} ${kid}`;

/** Every key without its private part being opened. `now`: the time by which the states are told. */
export async function listKeys(on: Queryable): Promise<{ key: SigningKey; state: KeyState; now: number }[]> {
  const all = await Promise.all(environments.map((environment) => store.selectKeys(on, environment)));
  return all.flatMap(({ keys, now }) => keys.map((key) => ({ key, state: stateOf(key, now), now })));
}

/**
 * The number of keys in each state. `ageSeconds`: of the active key; null for other states, and when no key is active.
 */
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

type Recorded = {
  action: 'rotate' | 'revoke';
  target: string | null;
  details?: object;
  before: readonly SigningKey[];
  after: readonly SigningKey[];
};

/** With the keys whose times changed, by kid. */
const record = (tx: Transaction, actor: Actor, { action, before, after, ...others }: Recorded) =>
  recordAction(tx, {
    actor,
    partnerId: null,
    action: `signing_key.${action}`,
    ...others,
    changes: changesBetween(timesByKid(before), timesByKid(after)),
  });

const timesByKid = (keys: readonly SigningKey[]) =>
  Object.fromEntries(keys.map((key) => [key.kid, timesOf(key)]));
