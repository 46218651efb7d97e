// The doctor on the clock and the running instances.
import { version } from '../../../base/version.ts';
import type { InstanceRow } from '../../../insight/status/index.ts';
import { countOf, error, type Finding, note, ok, orOk, warning } from './finding.ts';

export function judgeClock(differenceMs: number): Finding {
  const seconds = Math.round(Math.abs(differenceMs) / 100) / 10;
  if (seconds === 0) return ok('The clock of this machine agrees with that of the database.');
  const text = `The clock of this machine is ${seconds} s ${differenceMs < 0 ? 'behind' : 'ahead of'} that of the database.`;
  const action = 'Run a time service (chrony, systemd-timesyncd) on both machines.';
  // TOTP codes change every 30 s, and receivers refuse old signatures.
  if (seconds > 30) return error(text, action);
  return seconds > 2 ? warning(text, action) : ok(text);
}

export function judgeInstances(
  rows: readonly Pick<InstanceRow, 'alive' | 'role' | 'version' | 'host_name' | 'seen_at'>[],
): readonly Finding[] {
  const alive = rows.filter((row) => row.alive);
  const dead = rows.filter((row) => !row.alive);
  const versions = [...new Set(alive.map((row) => row.version))];
  const last = dead.map(({ host_name, seen_at }) => `${host_name} at ${seen_at.toISOString()}`).slice(0, 3);
  const findings = [
    alive.length === 0 &&
      warning(
        'No instance has had a heartbeat for 20 s.',
        'Start Concord. If it runs, its log says why it cannot write to the database.',
      ),
    alive.length > 0 &&
      alive.every(({ role }) => role === 'api') &&
      error(
        'No instance sends webhooks: every running one has the role api.',
        'Start an instance with CONCORD_ROLE=worker or all.',
      ),
    alive.length > 0 &&
      alive.every(({ role }) => role === 'worker') &&
      warning(
        'No instance answers requests: every running one has the role worker.',
        'Start an instance with CONCORD_ROLE=api or all.',
      ),
    versions.length > 1 &&
      warning(
        `Instances of different versions run: ${versions.join(', ')}.`,
        'Finish the upgrade: stop the older ones (docs/operating/upgrade.md).',
      ),
    versions.length === 1 &&
      versions[0] !== version &&
      note(`The instances have the version ${versions[0]}, and this command ${version}.`),
    dead.length > 0 &&
      note(
        `${countOf(dead.length, 'instance')} ended without saying so within the last hour (${last.join(', ')}).`,
        'If nobody killed them, look into their logs.',
      ),
  ];
  const roles = alive.map(({ role, host_name }) => `${role} on ${host_name}`);
  return orOk(findings, `Alive: ${countOf(alive.length, 'instance')}, ${roles.slice(0, 10).join(', ')}.`);
}
