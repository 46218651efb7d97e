// `audit verify`: checks the audit log against its seals, also while Concord runs.
import { createSealKeys, verifyLog } from '../../audit/index.ts';
import { loadSecrets } from '../../base/secrets/index.ts';
import { secretSettingsOf } from '../config.ts';
import { type Command, withDatabase } from './with-database.ts';

type Options = Omit<Command, 'report'> & { expect?: string };

/** @throws Error when the log is not as it was written */
export async function verifyAuditCommand({ config, expect: expected, announce }: Options): Promise<void> {
  if (expected !== undefined && !/^[0-9a-f]{64}$/.test(expected))
    throw new Error('--expect must be the head that an earlier audit verify printed: 64 hexadecimal digits.');
  await withDatabase({ config, announce }, async (db) => {
    const keys = createSealKeys(await loadSecrets({ db, ...secretSettingsOf(config), announce }));
    const { findings, findingCount, ...log } = await verifyLog({ db, keys, expected, progress: announce });
    for (const finding of findings) announce(finding);
    announce(
      `${log.seals} seals cover ${log.rows} rows. ${log.waiting} rows wait for their seal, ${log.dropped} were dropped by the retention, ${log.erased} have erased personal values.`,
    );
    if (log.waitingSince !== null)
      announce(
        `The oldest row that waits is of ${log.waitingSince.toISOString()}. While Concord runs, rows wait for a second.`,
      );
    if (log.late > 0)
      announce(
        `${log.late} rows were sealed more than an hour after they were written. docs/operating/incident.md says what that can mean.`,
      );
    announce(`Head: ${log.head ?? 'none'}`);
    if (findingCount > 0) {
      const shown = findingCount > findings.length ? ` The first ${findings.length} are listed above.` : '';
      throw new Error(`The audit log is not as it was written: ${findingCount} findings.${shown}`);
    }
    announce('The audit log is as it was written.');
  });
}
