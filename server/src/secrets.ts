// The master secrets: from the configuration, or generated into the data directory; and the check that the database knows them.
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import type { Database } from './postgres/database.ts';
import { deriveKey, parseSecrets, type Secret } from './sealing.ts';

type Options = {
  db: Database;
  dataDir: string;
  /** From CONCORD_SECRETS; null when it is not set. */
  configured: readonly Secret[] | null;
  announce: (line: string) => void;
};

/**
 * @returns the secrets, the current one first.
 * @throws Error when the database was used with other secrets than these, or with secrets that are gone.
 */
export async function loadSecrets({ db, dataDir, configured, announce }: Options): Promise<readonly Secret[]> {
  const file = join(dataDir, 'secrets');
  return db.transaction(async (tx) => {
    // One instance at a time: two that start on an empty database with different secrets must not both succeed.
    await tx.query(sql`lock table secret_check in share row exclusive mode`);
    const known = await tx.query<{ version: number; check_value: Buffer }>(sql`select version, check_value from secret_check`);

    if (configured === null && !existsSync(file)) {
      if (known.length > 0) {
        throw new Error(
          `This database was used with secrets, and there are none here: set CONCORD_SECRETS, or put the file "secrets" of the other installation into ${dataDir}.`,
        );
      }
      generate(file);
      announce(`Generated ${file}: keep a copy of it, this database cannot be used without it.`);
    }
    const secrets = configured ?? readSecrets(file);
    const source = configured === null ? file : 'CONCORD_SECRETS';

    for (const { version, check_value } of known) {
      const secret = secrets.find((candidate) => candidate.version === version);
      if (secret === undefined) {
        throw new Error(
          `The database was used with version ${version} of the secrets, which ${source} lacks: add it as ${version}:<value>.`,
        );
      }
      if (!checkValue(secret).equals(check_value)) {
        throw new Error(`Version ${version} of the secrets in ${source} is not the one this database was used with.`);
      }
    }
    for (const secret of secrets) {
      await tx.query(
        sql`insert into secret_check (version, check_value) values (${secret.version}, ${checkValue(secret)}) on conflict do nothing`,
      );
    }
    return secrets;
  });
}

function readSecrets(file: string): readonly Secret[] {
  try {
    return parseSecrets(readFileSync(file, 'utf8').trim());
  } catch (cause) {
    throw new Error(`The secrets in ${file} cannot be read: ${(cause as Error).message}.`, { cause });
  }
}

/** Tells secrets apart, and tells nothing of them. */
function checkValue(secret: Secret): Buffer {
  return createHmac('sha256', deriveKey(secret, 'secret check')).update('concord').digest();
}

/** Whole or not at all, and never over a file that is there. */
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
