// The doctor on the age of the last backup.
import { type Finding, note, ok, secondsOf, warning } from './finding.ts';

const command = 'npm run concord -- backup --to FILE';
const oldSeconds = 2 * 86_400;

/** `ageSeconds` null: the command has made none. */
export function judgeBackup(ageSeconds: number | null, isEmbedded: boolean): Finding {
  if (ageSeconds === null)
    return isEmbedded
      ? note('No backup was made.', `Make one each night: ${command}`)
      : note('No backup was made with the command backup.', 'Make sure that your PostgreSQL is backed up.');
  const text = `The last backup is ${secondsOf(ageSeconds * 1_000)} old.`;
  const otherwise = isEmbedded
    ? ''
    : ' If your PostgreSQL has backups of its own now: delete from last_backup';
  return ageSeconds > oldSeconds
    ? warning(text, `Find out why there is no newer one, and make one: ${command}.${otherwise}`)
    : ok(text);
}
