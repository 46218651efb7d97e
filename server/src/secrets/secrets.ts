// The master secrets: configured, or generated into the data directory. They must be those that the database was used with.
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSecrets, type Secret } from '../config-values.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { deriveKey } from './sealer.ts';
import { insertChecks, lockChecks, type SecretCheck, selectChecks } from './store.ts';

type Options = {
  db: Database;
  dataDir: string;
  /** From CONCORD_SECRETS; null when it is not set. */
  configured: readonly Secret[] | null;
  announce: (line: string) => void;
};

/**
 * @returns the secrets, the current one first
 * @throws Error when the database was used with a secret that differs or is missing here
 */
export async function loadSecrets({ db, dataDir, configured, announce }: Options): Promise<readonly Secret[]> {
  const file = join(dataDir, 'secrets');
  return db.transaction(async (tx) => {
    // The lock admits one instance at a time: two with different secrets must not both start on an empty database.
    const known = await lockChecks(tx);
    if (configured === null && !existsSync(file)) {
      if (known.length > 0) {
        throw new Error(
          `This database was used with secrets that are missing here. Set CONCORD_SECRETS, or copy the file "secrets" of the other installation into ${dataDir}.`,
        );
      }
      generate(file);
      announce(`Generated ${file}. Keep a copy: the database cannot be used without it.`);
    }
    const secrets = configured ?? readSecrets(file);
    requireKnown(known, secrets, configured === null ? file : 'CONCORD_SECRETS');
    await insertChecks(
      tx,
      secrets.map((secret) => ({ version: secret.version, check_value: checkValue(secret) })),
    );
    return secrets;
  });
}

/**
 * Compares the secrets with those that the database was used with. Changes nothing. `on` null: only reads them.
 * @returns their versions, the current one first
 * @throws Error that says what differs or is missing
 */
export async function verifySecrets({
  on,
  dataDir,
  configured,
}: Pick<Options, 'dataDir' | 'configured'> & { on: Queryable | null }) {
  const file = join(dataDir, 'secrets');
  const secrets = configured ?? readSecrets(file);
  if (on) requireKnown(await selectChecks(on), secrets, configured === null ? file : 'CONCORD_SECRETS');
  return secrets.map(({ version }) => version);
}

function requireKnown(known: readonly SecretCheck[], secrets: readonly Secret[], source: string): void {
  for (const { version, check_value } of known) {
    const secret = secrets.find((candidate) => candidate.version === version);
    if (secret === undefined) {
      throw new Error(
        `The database was used with version ${version} of the secrets, and ${source} does not have it. Add it as ${version}:<value>.`,
      );
    }
    if (!checkValue(secret).equals(check_value)) {
      throw new Error(`Version ${version} of the secrets in ${source} differs from the one that this database was used with.`);
    }
  }
}

function readSecrets(file: string): readonly Secret[] {
  try {
    return parseSecrets(readFileSync(file, 'utf8').trim());
  } catch (cause) {
    throw new Error(`The secrets in ${file} cannot be read: ${(cause as Error).message}.`, { cause });
  }
}

/** Identifies a secret without revealing it. */
function checkValue(secret: Secret): Buffer {
  return createHmac('sha256', deriveKey(secret, 'secret check')).update('concord').digest();
}

/** Writes the whole file or nothing, and never replaces an existing file. */
function generate(file: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `1:${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
