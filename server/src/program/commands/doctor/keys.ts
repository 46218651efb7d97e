// The doctor on the keys that sign webhooks, and on what signs.
import {
  chooseSigner,
  environments,
  type KeyState,
  type SigningKey,
} from '../../../webhooks/signing-keys/index.ts';
import { countOf, error, type Finding, note, ok, orOk, warning } from './finding.ts';

const dayMs = 86_400_000;

export function judgeKeys(
  keys: readonly { key: SigningKey; state: KeyState }[],
  now: number,
): readonly Finding[] {
  return environments.flatMap((environment) => {
    const ours = keys.filter(({ key }) => key.environment === environment);
    const active = ours.filter(({ state }) => state === 'active');
    const [key] = active.map((each) => each.key);
    if (!key)
      return [
        error(
          `No ${environment} key signs: webhooks are not sent.`,
          'Start Concord, which makes one. If it runs, its log says why it cannot.',
        ),
      ];
    const ageDays = Math.floor((now - key.activatesAt) / dayMs);
    const leftDays = Math.floor((key.retiresAt - now) / dayMs);
    const findings = [
      active.length > 1 &&
        error(
          `${active.length} ${environment} keys are active at once.`,
          'npm run concord -- keys list shows them. Revoke all but one.',
        ),
      !ours.some(({ state }) => state === 'pending') &&
        warning(
          `No key follows the ${environment} key, which retires in ${countOf(leftDays, 'day')}.`,
          'A running Concord makes it within a minute. If one runs, its log says why the task "rotate signing keys" fails.',
        ),
      ageDays > 31 &&
        warning(
          `The ${environment} key has signed for ${countOf(ageDays, 'day')}.`,
          `npm run concord -- keys rotate --environment ${environment}`,
        ),
    ];
    return orOk(
      findings,
      `The ${environment} key ${key.kid} has signed for ${countOf(ageDays, 'day')}; the next key is published.`,
    );
  });
}

export async function checkSigner(loadsNative: boolean): Promise<Finding> {
  let broken: unknown;
  let chosen = 'node';
  await chooseSigner({
    loadsNative,
    onChosen: (signer) => {
      chosen = signer;
    },
    onBroken: (problem) => {
      broken = problem;
    },
  });
  if (broken !== undefined)
    return warning(
      `The native signer does not load: ${(broken as Error).message}.`,
      'Build it again: npm run build:signer. Until then Node signs.',
    );
  if (chosen === 'native') return ok('The native module signs.');
  return note(
    'The crypto of Node signs.',
    loadsNative
      ? 'There is no native module for this platform. npm run build:signer builds one, which signs about eight times as fast.'
      : null,
  );
}
