// The doctor on secrets.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Queryable } from '../../../base/postgres/database.ts';
import { requireSecrets, selectChecks } from '../../../base/secrets/index.ts';
import { type Config, type Environment, secretSettingsOf } from '../../config.ts';
import { settings } from '../../settings.ts';
import { allOf, error, type Finding, note, orOk, warning } from './finding.ts';

type SecretFile = { path: string; mode: number };

/** On Windows, modes say nothing. */
export function judgeFiles(generated: SecretFile | null, given: readonly SecretFile[]): Finding[] {
  const shown = (mode: number) => `0${(mode & 0o777).toString(8)}`;
  return allOf([
    ...given.map(
      ({ path, mode }) =>
        (mode & 0o007) !== 0 &&
        warning(`Every user of this machine can read ${path} (mode ${shown(mode)}).`, `chmod o= ${path}`),
    ),
    generated &&
      (generated.mode & 0o077) !== 0 &&
      error(
        `Other users can read the master secrets in ${generated.path} (mode ${shown(generated.mode)}).`,
        `chmod 600 ${generated.path}. If somebody may have read them, rotate them (docs/operating/incident.md, Rotate the secrets).`,
      ),
  ]);
}

type Options = { config: Config; environment: Environment; database: Promise<Queryable | null> };

export async function checkSecrets({ config, environment, database }: Options): Promise<readonly Finding[]> {
  const settingsOfSecrets = secretSettingsOf(config);
  const { configured, dataDir } = settingsOfSecrets;
  const path = join(dataDir, 'secrets');
  const generated = configured === null ? statSync(path, { throwIfNoEntry: false }) : undefined;
  const given = Object.keys(settings).flatMap((name) => fileOf(environment[`${name}_FILE`]));
  const findings = judgeFiles(generated ? { path, mode: generated.mode } : null, given);
  const on = await database.catch(() => null);
  if (configured === null && !generated && on === null)
    return [
      ...findings,
      note(
        `There are no secrets in ${dataDir}.`,
        'The first start generates them. If you have a database, copy its secrets there.',
      ),
    ];
  try {
    const known = on === null ? [] : await selectChecks(on);
    const [current, ...older] = requireSecrets({ known, ...settingsOfSecrets }).map(({ version }) => version);
    const more = [
      older.length > 0 &&
        note(
          `Version ${current} seals new data; the versions ${older.join(', ')} open older data.`,
          'Keep every version that the database has seen.',
        ),
      on === null && note('Whether the secrets are those of the database was not checked.'),
    ];
    return orOk(
      [...findings, ...more],
      `The secrets (version ${current}) ${on === null ? 'can be read' : 'are those of the database'}.`,
    );
  } catch (problem) {
    return [
      ...findings,
      error(
        (problem as Error).message,
        'Concord does not start with other secrets. docs/operating/install.md, Files, says where they are kept.',
      ),
    ];
  }
}

function fileOf(path: string | undefined): SecretFile[] {
  const file = path ? statSync(path, { throwIfNoEntry: false }) : undefined;
  return path && file?.isFile() ? [{ path, mode: file.mode }] : [];
}
