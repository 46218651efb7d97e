// The master secrets, configured or generated. They must be those of the database.
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSecrets, type Secret } from '../config-values.ts';
import { hasCode } from '../errors.ts';
import type { Database } from '../postgres/database.ts';
import { syncFolder } from '../sync-folder.ts';
import { deriveKey } from './encryption.ts';
import { insertChecks, lockChecks, type SecretCheck } from './store.ts';

type Options = {
  db: Database;
  dataDir: string;
  /** From CONCORD_SECRETS; null when it is not set. */
  configured: readonly Secret[] | null;
  announce: (line: string) => void;
};

/** The current one first. @throws Error when a secret of the database differs or is missing */
export async function loadSecrets({
  db,
  dataDir,
  configured,
  announce,
}: Options): Promise<readonly Secret[]> {
  const file = fileIn(dataDir);
  return db.transaction(async (tx) => {
    // Two instances with different secrets must not both start on an empty database.
    const known = await lockChecks(tx);
    if (configured === null && known.length === 0 && !existsSync(file)) {
      keepSecrets(dataDir, `1:${randomBytes(32).toString('base64url')}`);
      announce(`Generated ${file}. Keep a copy: the database cannot be used without it.`);
    }
    const secrets = requireSecrets({ known, dataDir, configured });
    await insertChecks(
      tx,
      secrets.map((secret) => ({ version: secret.version, check_value: checkValue(secret) })),
    );
    return secrets;
  });
}

const fileIn = (dataDir: string) => join(dataDir, 'secrets');

export const hasSecrets = ({ dataDir, configured }: Pick<Options, 'dataDir' | 'configured'>): boolean =>
  configured !== null || existsSync(fileIn(dataDir));

type Required = Pick<Options, 'dataDir' | 'configured'> & { known: readonly SecretCheck[] };

export function requireSecrets({ known, dataDir, configured }: Required): readonly Secret[] {
  const file = fileIn(dataDir);
  if (!hasSecrets({ dataDir, configured }))
    throw new Error(
      `This database was used with secrets that are missing here. Set CONCORD_SECRETS, or copy the file "secrets" of the other installation into ${dataDir}.`,
    );
  const secrets = configured ?? readSecrets(file);
  requireKnown(known, secrets, configured === null ? file : 'CONCORD_SECRETS');
  return secrets;
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
      throw new Error(
        `Version ${version} of the secrets in ${source} differs from the one that this database was used with.`,
      );
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

/** Writes the whole file to the disk or nothing, and never replaces an existing file. */
export function keepSecrets(dataDir: string, text: string): void {
  const file = fileIn(dataDir);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  syncFolder(dataDir);
}
