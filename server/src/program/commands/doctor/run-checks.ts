// Checks run at the same time. One that fails or hangs does not affect the others.
import { within } from '../../../base/within.ts';
import { type Check, error, type Finding } from './finding.ts';

export type Report = { readonly area: string; readonly findings: readonly Finding[] };

export const runChecks = (checks: readonly Check[]): Promise<Report[]> =>
  Promise.all(checks.map(async (check) => ({ area: check.area, findings: await runCheck(check) })));

async function runCheck({ run, timeoutMs }: Check): Promise<readonly Finding[]> {
  const late = () => [
    error(
      `The check did not end within ${timeoutMs / 1_000} s.`,
      'Find out what hangs: the network, the disk, or a lock in the database.',
    ),
  ];
  try {
    return await within<readonly Finding[]>(timeoutMs, Promise.resolve().then(run), late);
  } catch (failure) {
    const { message, code } = failure as NodeJS.ErrnoException;
    return [
      error(
        `The check failed: ${message || code || failure}.`,
        'Repair what the message names, and run doctor again.',
      ),
    ];
  }
}
